"""Animations: nothing here draws them."""


class _Absent:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"matplotlib.animation.{type(self).__name__} is not implemented in janus-jit yet")


class FuncAnimation(_Absent):
    pass


class ArtistAnimation(_Absent):
    pass


class PillowWriter(_Absent):
    pass


class FFMpegWriter(_Absent):
    pass
