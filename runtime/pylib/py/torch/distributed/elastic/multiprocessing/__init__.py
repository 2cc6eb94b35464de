"""torch.distributed.elastic.multiprocessing: `errors` alone."""
