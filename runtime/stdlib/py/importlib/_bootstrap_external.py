"""What CPython's library and others look for under this name."""

from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, PathFinder, \
    SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, decode_source, source_from_cache, \
    spec_from_file_location
