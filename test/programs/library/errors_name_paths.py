"""Errors of files name the path that was given, as str or bytes, not the object that has it."""
import os
import pathlib

missing = "/nonexistent/place"
calls = {
    "open": open, "listdir": os.listdir, "stat": os.stat, "mkdir": os.mkdir, "remove": os.remove, "chdir": os.chdir,
    "truncate": lambda path: os.truncate(path, 0), "rename": lambda path: os.rename(path, path),
    "utime": os.utime, "scandir": os.scandir, "readlink": os.readlink,
}
for name, call in calls.items():
    for path in (missing, missing.encode(), pathlib.Path(missing)):
        try:
            call(path)
        except OSError as e:
            print(name, e, repr(e.filename), repr(e.filename2))
