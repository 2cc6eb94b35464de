"""Handles that take a hook away again."""


class RemovableHandle:
    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict = hooks_dict
        # Other dicts that know the hook by its number.
        self.extra_dict = [] if extra_dict is None else extra_dict
        if isinstance(self.extra_dict, dict):
            self.extra_dict = [extra_dict]
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        if self.id in self.hooks_dict:
            del self.hooks_dict[self.id]
        for extra in self.extra_dict:
            extra.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.remove()
