"""torch.optim."""

from torch.optim.optimizer import Optimizer
from torch.optim.adagrad import Adadelta, Adagrad
from torch.optim.adafactor import Adafactor
from torch.optim.adam import Adam, AdamW
from torch.optim.asgd import ASGD, Rprop
from torch.optim.lbfgs import LBFGS
from torch.optim.muon import Muon
from torch.optim.radam import Adamax, NAdam, RAdam
from torch.optim.rmsprop import RMSprop
from torch.optim.sgd import SGD
from torch.optim.sparse_adam import SparseAdam
from torch.optim import lr_scheduler, optimizer

import torch


def __getattr__(name):
    if name == "swa_utils":
        return torch._C._import_module("torch.optim.swa_utils")
    return torch._C._missing_name("torch.optim", name)
