"""DataLoader: batches made in the process that asks, or in worker processes (`_workers`)."""

import collections.abc
import copy

import torch
from torch import Tensor
from torch.utils.data.dataset import IterableDataset
from torch.utils.data._fetch import Fetcher
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, _random_seed


def _is_numpy(data):
    return type(data).__module__ == "numpy" and type(data).__name__ not in ("str_", "string_")


def _with_items(data, items):
    """A mapping of the same class with other values, or a dict where the class cannot be copied so."""
    try:
        if isinstance(data, collections.abc.MutableMapping):
            made = copy.copy(data)
            made.update(items)
            return made
        return type(data)(items)
    except TypeError:
        return dict(items)


def _with_elements(data, elements):
    """A sequence of the same class with other elements, or a list where the class cannot be copied so."""
    try:
        if isinstance(data, collections.abc.MutableSequence):
            made = copy.copy(data)
            for i, element in enumerate(elements):
                made[i] = element
            return made
        return type(data)(elements)
    except TypeError:
        return list(elements)


def default_convert(data):
    if isinstance(data, Tensor):
        return data
    if _is_numpy(data):
        if type(data).__name__ == "ndarray" and data.dtype.kind in "SaUO":
            return data
        return torch.as_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return _with_items(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*[default_convert(d) for d in data])
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return _with_elements(data, [default_convert(d) for d in data])
    return data


def default_collate(batch):
    first = batch[0]
    if isinstance(first, Tensor):
        return torch.stack(batch, 0)
    if type(first).__module__ == "numpy":
        if type(first).__name__ == "ndarray":
            return torch.stack([torch.as_tensor(row) for row in batch], 0)
        return torch.as_tensor(batch)
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([row[key] for row in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*[default_collate(column) for column in zip(*batch)])
    if isinstance(first, (list, tuple)):
        for row in batch:
            if len(row) != len(first):
                raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch)]
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, "
        f"dicts or lists; found {type(first)}"
    )


class _InfiniteConstantSampler:
    def __iter__(self):
        while True:
            yield None


class _DatasetKind:
    Map = 0
    Iterable = 1


class _BaseDataLoaderIter:
    """One pass over a loader."""

    def __iter__(self):
        return self

    def __len__(self):
        return len(self._loader)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """One pass over a loader, in this process."""

    def __init__(self, loader):
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        # PyTorch draws a seed for its workers from the same generator, needed or not.
        _base_seed(loader)
        self._fetcher = Fetcher(loader)

    def __next__(self):
        return self._fetcher.fetch(next(self._indices))


def _base_seed(loader):
    if loader.generator is None:
        return _random_seed()
    return torch.empty((), dtype=torch.int64).random_(generator=loader.generator).item()


class DataLoader:
    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        elif prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if multiprocessing_context is not None and num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
                f"but got num_workers={num_workers}"
            )
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.persistent_workers = persistent_workers
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._iterator = None
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            if shuffle:
                raise ValueError(
                    "DataLoader with IterableDataset: expected unspecified shuffle option, "
                    f"but got shuffle={shuffle}"
                )
            if sampler is not None:
                raise ValueError(
                    "DataLoader with IterableDataset: expected unspecified sampler option, "
                    f"but got sampler={sampler}"
                )
        shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive "
                    "with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
            drop_last = False
        elif batch_size is None:
            if drop_last:
                raise ValueError(
                    "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
                )
        if sampler is None:
            if self._iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.collate_fn = collate_fn

    def __class_getitem__(cls, item):
        return cls

    @property
    def _dataset_kind(self):
        return _DatasetKind.Iterable if self._iterable else _DatasetKind.Map

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self):
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        from torch.utils.data._workers import WorkersIterator
        if not self.persistent_workers:
            return WorkersIterator(self, _base_seed)
        if self._iterator is None:
            self._iterator = WorkersIterator(self, _base_seed)
        else:
            self._iterator.begin_again()
        return self._iterator

    def __len__(self):
        if self._iterable:
            length = len(self.dataset)
            if self.batch_size is not None:
                if self.drop_last:
                    return length // self.batch_size
                return (length + self.batch_size - 1) // self.batch_size
            return length
        return len(self._index_sampler)


def __getattr__(name):
    if name == "_MultiProcessingDataLoaderIter":
        # Worker processes are only loaded for those who ask for them.
        from torch.utils.data._workers import WorkersIterator
        return WorkersIterator
    return torch._C._missing_name("torch.utils.data.dataloader", name)
