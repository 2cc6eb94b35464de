"""How a batch comes out of a dataset."""


class Fetcher:
    """Fetches what the sampler of a loader names; for a pass over it."""

    def __init__(self, loader):
        self._dataset = loader.dataset
        self._collate_fn = loader.collate_fn
        self._auto_collation = loader.batch_sampler is not None
        self._drop_last = loader.drop_last
        self._rows = iter(loader.dataset) if loader._iterable else None
        self._ended = False

    def fetch(self, index):
        """The batch of an index, or of a list of them; StopIteration where an iterable dataset ends."""
        if self._rows is not None:
            data = self._next_rows(index)
        elif not self._auto_collation:
            data = self._dataset[index]
        elif hasattr(self._dataset, "__getitems__") and self._dataset.__getitems__:
            data = self._dataset.__getitems__(index)
        else:
            data = [self._dataset[i] for i in index]
        return self._collate_fn(data)

    def _next_rows(self, index):
        if not self._auto_collation:
            return next(self._rows)
        if self._ended:
            raise StopIteration
        data = []
        for _ in index:
            try:
                data.append(next(self._rows))
            except StopIteration:
                self._ended = True
                break
        if len(data) == 0 or (self._drop_last and len(data) < len(index)):
            raise StopIteration
        return data
