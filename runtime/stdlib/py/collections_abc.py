"""The abstract classes, under their public name."""

from _collections_abc import *
from _collections_abc import __all__
