"""torch.backends.mps, where there is no Metal."""


def is_built():
    return False


def is_available():
    return False
