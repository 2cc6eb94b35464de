"""SummaryWriter: scalars, text, histograms and images for TensorBoard."""

from _refused import refused
import atexit
import os
import socket
import time
import warnings

import torch
from torch.utils.tensorboard import _records as records


def _tensor(x):
    if isinstance(x, torch.Tensor):
        return x.detach()
    return torch.as_tensor(x)


def _number(x):
    return float(x.item() if isinstance(x, torch.Tensor) else x)


def _limits():
    """Bounds of TensorFlow's buckets: each a tenth wider than the one before, on both sides of zero."""
    found, at = [], 1e-12
    while at < 1e20:
        found.append(at)
        at *= 1.1
    return [-x for x in reversed(found)] + [0.0] + found


class FileWriter:
    """The event file of a folder."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        self._log_dir = str(log_dir)
        self._events = records.Events(self._log_dir, filename_suffix)

    def get_logdir(self):
        return self._log_dir

    def add(self, values, step, walltime):
        self._events.add(values, step, walltime)

    def add_graph(self, graph):
        self._events.add_graph(graph)

    def flush(self):
        self._events.flush()

    def close(self):
        self._events.close()


class SummaryWriter:
    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if purge_step is not None:
            raise refused("torch.utils.tensorboard.writer.SummaryWriter", "purge_step")
        if not log_dir:
            now = time.strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{now}_{socket.gethostname()}{comment}")
        self.log_dir = str(log_dir)
        self._suffix = filename_suffix
        self.file_writer = FileWriter(self.log_dir, max_queue, flush_secs, filename_suffix)
        self.all_writers = {self.log_dir: self.file_writer}
        atexit.register(self.flush)

    def get_logdir(self):
        return self.log_dir

    def _get_file_writer(self):
        if self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, filename_suffix=self._suffix)
            self.all_writers = {self.log_dir: self.file_writer}
        return self.file_writer

    def _add(self, values, step, walltime):
        self._get_file_writer().add(values, None if step is None else _number(step), walltime)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        self._add(records.scalar(tag, _number(scalar_value)), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        self._get_file_writer()
        for tag, value in tag_scalar_dict.items():
            folder = f"{self.log_dir}/{main_tag.replace('/', '_')}_{tag}"
            if folder not in self.all_writers:
                self.all_writers[folder] = FileWriter(folder, filename_suffix=self._suffix)
            self.all_writers[folder].add(records.scalar(main_tag, _number(value)), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        self._add(records.string(f"{tag}/text_summary", text_string), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        if max_bins is not None:
            raise refused("torch.utils.tensorboard.writer.SummaryWriter.add_histogram", "max_bins")
        t = _tensor(values).reshape(-1).to(torch.float64)
        if t.numel() == 0:
            raise ValueError("The input has no element.")
        limits = _limits() if bins == "tensorflow" else _tensor(bins).to(torch.float64).tolist()
        edges = torch.tensor(limits, dtype=torch.float64)
        ordered = t.sort().values
        below = torch.searchsorted(ordered, edges[:-1])
        upto = torch.searchsorted(ordered, edges[-1:], right=True)
        counts = torch.cat([below, upto]).diff().tolist()
        filled = [i for i, n in enumerate(counts) if n]
        if not filled:
            raise ValueError("The histogram is empty, please file a bug report.")
        # What is empty on either side is left out, but for one bucket in front.
        first, last = filled[0], filled[-1] + 1
        buckets = ([0] if first == 0 else [counts[first - 1]]) + counts[first:last]
        squares = (t * t).sum().item()
        values = records.histogram(
            tag, t.min().item(), t.max().item(), len(t), t.sum().item(), squares, limits[first : last + 1], buckets
        )
        self._add(values, global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        t = _tensor(img_tensor)
        if t.dim() != len(dataformats):
            raise AssertionError(
                f"size of input tensor and input format are different. tensor shape: {tuple(t.shape)}, input_format: "
                f"{dataformats}"
            )
        if "C" in dataformats:
            t = t.permute(*[dataformats.index(d) for d in "HWC"])
        else:
            t = t.permute(*[dataformats.index(d) for d in "HW"]).unsqueeze(-1).expand(-1, -1, 3)
        if t.shape[2] == 1:
            t = t.expand(-1, -1, 3)
        if t.dtype is not torch.uint8:
            t = (t * 255.0).clamp(0, 255).to(torch.uint8)
        height, width, channels = t.shape
        data = records.png(torch._C._tensor_bytes(t.contiguous()), width, height, channels)
        self._add(records.image(tag, height, width, channels, data), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        t = _tensor(img_tensor)
        t = t.permute(*[dataformats.index(d) for d in "NCHW"])
        count, channels, height, width = t.shape
        columns = min(count, 8)
        rows = (count + columns - 1) // columns
        grid = torch.zeros(channels, rows * height, columns * width, dtype=t.dtype)
        for i in range(count):
            y, x = i // columns * height, i % columns * width
            grid[:, y : y + height, x : x + width] = t[i]
        self.add_image(tag, grid, global_step, walltime)

    def _not_written(self, what):
        warnings.warn(f"SummaryWriter.{what} is not implemented in janus-jit yet: nothing is written")

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """The model's modules and functions, by the names that `torch.fx` has for them."""
        if verbose:
            raise refused("torch.utils.tensorboard.writer.SummaryWriter.add_graph", "verbose")
        if not use_strict_trace:
            raise refused("torch.utils.tensorboard.writer.SummaryWriter.add_graph", "use_strict_trace")
        from torch.utils.tensorboard import _graph

        try:
            made = _graph.of_model(model, () if input_to_model is None else input_to_model)
        except Exception as error:
            # What a model decides on values is not found by tracing symbols.
            warnings.warn(f"SummaryWriter.add_graph: torch.fx cannot trace this model, and nothing is written: {error}")
            return
        self._get_file_writer().add_graph(made)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        if hparam_domain_discrete is not None:
            raise refused("torch.utils.tensorboard.writer.SummaryWriter.add_hparams", "hparam_domain_discrete")
        folder = f"{self.log_dir}/{run_name or time.time()}"
        with SummaryWriter(folder) as writer:
            for tag, value in metric_dict.items():
                writer.add_scalar(tag, value, global_step)
        self._not_written("add_hparams of the parameters")

    def flush(self):
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        for writer in (self.all_writers or {}).values():
            writer.flush()
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __getattr__(self, name):
        if name in ("add_audio", "add_custom_scalars", "add_embedding", "add_figure", "add_mesh", "add_pr_curve", "add_video",
                    "add_tensor", "add_image_with_boxes"):
            raise AttributeError(f"SummaryWriter.{name} is not implemented in janus-jit yet")
        raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")
