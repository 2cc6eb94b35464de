"""`os.path`, in case `os` was removed from `sys.modules`."""

from posixpath import *
