"""torch.utils.tensorboard: SummaryWriter."""

from torch.utils.tensorboard.writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
