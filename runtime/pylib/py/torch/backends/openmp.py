"""torch.backends.openmp, where there is no OpenMP."""


def is_available():
    return False
