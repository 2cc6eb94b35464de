"""A job over gloo: its ranks say things, and the first one prints at the end what all of them said."""
import torch.distributed as dist

lines = []


def begin(**settings):
    """Joins the job: this rank, and how many there are."""
    dist.init_process_group("gloo", **settings)
    return dist.get_rank(), dist.get_world_size()


def say(*words):
    lines.append(" ".join(map(str, words)))


def end():
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, lines)
    if dist.get_rank() == 0:
        for rank, said in enumerate(every):
            print("rank", rank)
            print("\n".join(said))
    dist.barrier()
    dist.destroy_process_group()
