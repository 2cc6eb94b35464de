"""What `torch.compile` gives in PyTorch; here it gives the model itself, which is none of these."""


class OptimizedModule:
    def __init__(self, mod, dynamo_ctx=None):
        raise NotImplementedError("torch._dynamo.OptimizedModule is not implemented in janus-jit yet")


def is_dynamo_supported():
    return False
