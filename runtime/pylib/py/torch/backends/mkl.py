"""torch.backends.mkl, where there is no MKL."""


def is_available():
    return False
