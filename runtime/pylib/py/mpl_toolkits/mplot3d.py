"""Plots in three dimensions: the name is there, since scripts import it for what it does to matplotlib."""


class Axes3D:
    name = "3d"

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("Axes3D is not implemented in janus-jit yet: plots have two dimensions")
