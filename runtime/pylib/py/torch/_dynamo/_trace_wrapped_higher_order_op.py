"""What makes an index out of a subscript under vmap, where samples are plain tensors: here they always are."""


class TransformGetItemToIndex:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        pass
