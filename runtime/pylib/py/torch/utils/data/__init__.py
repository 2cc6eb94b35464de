"""Datasets, samplers, loaders."""

from torch.utils.data.dataset import (
    ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split,
)
from torch.utils.data.sampler import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler,
    WeightedRandomSampler,
)
from torch.utils.data.distributed import DistributedSampler
from torch.utils.data.dataloader import DataLoader, default_collate, default_convert

import sys

import torch


def get_worker_info():
    # Imported by workers only, so that who has none pays nothing for it.
    workers = sys.modules.get("torch.utils.data._workers")
    return None if workers is None else workers.get_worker_info()


def __getattr__(name):
    return torch._C._missing_name("torch.utils.data", name)
