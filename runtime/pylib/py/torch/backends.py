"""torch.backends: switches that scripts set; none of them changes anything here."""


class _Switches:
    def __init__(self, **values):
        self.__dict__.update(values)

    def is_available(self):
        return False


cudnn = _Switches(
    enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=10
)
mps = _Switches()
mkl = _Switches()
mkldnn = _Switches(enabled=True)
openmp = _Switches()
cuda = _Switches(matmul=_Switches(allow_tf32=False))
