import torch
class P:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('tf', func.__name__, [t.__name__ for t in types]); return 7
print(torch.add(P(), 1))
print(torch.nn.functional.relu(P()))
print(torch.zeros(2) + P())
class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('tf', func.__name__ if func.__name__ != "__repr__" else ""); return super().__torch_function__(func, types, args, kwargs or {})
t = torch.zeros(2).as_subclass(T)
print(type(t + 1), type((t * 2).sum()))
