"""torch.distributed.elastic: what scripts import of it. The launcher itself is `janus-jit torchrun`."""
