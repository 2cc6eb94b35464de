"""What `torch.compile` gives for a module: one around it. Nothing has to be asked for to be compiled."""

from torch.nn.modules.module import Module


class OptimizedModule(Module):
    def __init__(self, mod, dynamo_ctx=None):
        super().__init__()
        self._modules["_orig_mod"] = mod
        self.__dict__["training"] = mod.training

    def forward(self, *args, **kwargs):
        return self._modules["_orig_mod"](*args, **kwargs)

    def __getattr__(self, name):
        if name == "_orig_mod":
            return self.__dict__["_modules"]["_orig_mod"]
        return getattr(self.__dict__["_modules"]["_orig_mod"], name)

    def __setattr__(self, name, value):
        # What this module itself has stays here; the rest is the other one's.
        modules = self.__dict__.get("_modules", {})
        if "_orig_mod" not in modules or name in self.__dict__ and name != "training" or hasattr(type(self), name):
            super().__setattr__(name, value)
        elif name == "_orig_mod":
            modules[name] = value
        elif name == "training":
            self.__dict__[name] = value
            modules["_orig_mod"].training = value
        else:
            setattr(modules["_orig_mod"], name, value)

    def __delattr__(self, name):
        delattr(self.__dict__["_modules"]["_orig_mod"], name)

    def __len__(self):
        return len(self._orig_mod)

    def __bool__(self):
        return True

    def __dir__(self):
        return [*self.__dict__, *dir(self.__dict__["_modules"]["_orig_mod"])]

    def __reduce__(self):
        return (OptimizedModule, (self._orig_mod,))


def is_dynamo_supported():
    return False
