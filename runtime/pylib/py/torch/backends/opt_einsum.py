"""torch.backends.opt_einsum, where there is no opt_einsum: operands are multiplied from left to right."""

enabled = False
strategy = None


def is_available():
    return False


def get_opt_einsum():
    return None
