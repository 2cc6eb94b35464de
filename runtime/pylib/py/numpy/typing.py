"""Names for annotations."""

import typing

from numpy._array import ndarray

ArrayLike = typing.Any
DTypeLike = typing.Any


class NDArray(ndarray):
    """`NDArray[np.float32]` in an annotation."""

    def __class_getitem__(cls, item):
        return ndarray
