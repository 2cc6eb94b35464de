"""Storages that scripts make: of numbers, of extents, of bytes; what they can be asked, pickles of them."""

import pickle
import warnings

import torch

warnings.simplefilter("ignore")


def show(f):
    try:
        print(f())
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, str(e).split("\n")[-1])


show(lambda: torch.LongStorage([1, 2, 3]).tolist())
show(lambda: torch.FloatStorage((1.5, 2)).tolist())
show(lambda: (len(torch.FloatStorage(3)), torch.LongStorage().size(), torch.BoolStorage([True, False])[0]))
show(lambda: torch._utils._rebuild_tensor(torch.LongStorage([1, 2, 3, 4]), 1, (3,), (1,)))
show(lambda: torch._utils._rebuild_tensor(torch.LongStorage([1, 2, 3, 4]), 0, (2, 2), (2, 1)))
show(lambda: torch.HalfStorage([1, 2]).dtype)
show(lambda: (torch.UntypedStorage([1, 2, 3]).tolist(), torch.UntypedStorage(4).nbytes()))
show(lambda: torch.DoubleStorage([1, 2]).fill_(3).tolist())
s = torch.IntStorage([5, 6, 7])
s[1] = 9
show(lambda: (s.tolist(), list(s), s.element_size(), s.nbytes(), s.is_cuda, s.type(), 9 in s))
show(lambda: (s.clone().tolist(), s.float().tolist(), s.cpu().tolist(), s.long().dtype, s.bool().tolist()))
show(lambda: pickle.loads(pickle.dumps(s)).tolist())
show(lambda: pickle.loads(pickle.dumps([torch.tensor([1.0, 2.0])]))[0])
show(lambda: torch.FloatTensor(torch.FloatStorage([1, 2, 3])))
show(lambda: torch.LongTensor(torch.LongStorage([1, 2, 3])))
show(lambda: torch.tensor([1.0, 2, 3, 4]).storage()[1:3])
show(lambda: torch.tensor([1.0, 2, 3, 4]).untyped_storage()[2:4].tolist())
show(lambda: torch.FloatStorage(3, 4))
show(lambda: torch.FloatStorage(3.5))
show(lambda: torch.FloatStorage(3, dtype=torch.float32))
show(lambda: torch.FloatStorage("abc"))
show(lambda: torch.TypedStorage([1, 2], dtype=torch.int32).tolist())
show(lambda: (torch.TypedStorage(2, dtype=torch.int32).size(), torch.TypedStorage(2).dtype))
show(lambda: torch.TypedStorage([1], dtype=3))
show(lambda: torch.TypedStorage(wrap_storage=torch.UntypedStorage(8)))
show(lambda: torch.TypedStorage(wrap_storage=torch.UntypedStorage([0, 0, 128, 63]), dtype=torch.float32).tolist())
show(lambda: torch.FloatStorage.from_buffer(b"\0\0\x80?", byte_order="little").tolist())

# What was pickled by PyTorch before 0.5.
old = (
    b"ctorch._utils\n_rebuild_tensor\n(ctorch\nLongStorage\n((lI4\naI5\naI6\naI7\natRI0\n(I2\nI2\nt(I2\nI1\nttR."
)
show(lambda: pickle.loads(old))
