"""Directories."""

import os
import shutil


def copy_tree(src, dst, **kwargs):
    shutil.copytree(src, dst, dirs_exist_ok=True)
    return [os.path.join(d, f) for d, _, files in os.walk(dst) for f in files]


def mkpath(name, mode=0o777, **kwargs):
    os.makedirs(name, mode, exist_ok=True)


def remove_tree(directory, **kwargs):
    shutil.rmtree(directory)
