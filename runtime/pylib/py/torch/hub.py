"""Files of weights, kept in a directory; from there, or downloaded."""

import hashlib
import os
import re
import shutil
import sys
import urllib.error
import urllib.request
from urllib.parse import urlparse

from _refused import refused
from torch import _C
from torch.serialization import load as _load

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_directory = None


def get_dir():
    if _directory is not None:
        return _directory
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    home = os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))
    return os.path.join(home, "hub")


def set_dir(d):
    global _directory
    _directory = os.path.expanduser(d)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """Writes what is found at a URL; RuntimeError if its SHA-256 does not begin as it should."""
    dst = os.path.expanduser(dst)
    part = f"{dst}.{os.getpid()}.partial"
    sha256 = hashlib.sha256()
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "torch.hub"})
        with urllib.request.urlopen(request) as response, open(part, "wb") as f:
            while chunk := response.read(128 * 1024):
                f.write(chunk)
                sha256.update(chunk)
                if progress:
                    sys.stderr.write(".")
        if hash_prefix is not None and not sha256.hexdigest().startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{sha256.hexdigest()}")')
        shutil.move(part, dst)
    finally:
        if os.path.exists(part):
            os.remove(part)


def load_state_dict_from_url(
    url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False
):
    model_dir = os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir
    os.makedirs(model_dir, exist_ok=True)
    name = os.path.basename(url.split("?")[0]) if file_name is None else file_name
    path = os.path.join(model_dir, name)
    if not os.path.exists(path):
        sys.stderr.write(f'Downloading: "{url}" to {path}\n')
        found = HASH_REGEX.search(name) if check_hash else None
        try:
            download_url_to_file(url, path, found.group(1) if found else None, progress)
        except urllib.error.URLError as error:
            raise type(error)(f"{error.reason}; the file can be put at {path} instead") from error
    return _load(path, map_location=map_location, weights_only=weights_only)


def _entries(repo_or_dir, source):
    """The names that the file `hubconf.py` of a repository has: of a folder, or of what was downloaded into the cache."""
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    folder = repo_or_dir
    if source == "github":
        repository, _, ref = repo_or_dir.partition(":")
        owner, name = repository.split("/")
        names = [ref] if ref else ["main", "master"]
        found = [os.path.join(get_dir(), "_".join([owner, name, branch.replace("/", "_")])) for branch in names]
        folder = next((path for path in found if os.path.exists(path)), None)
        if folder is None:
            raise RuntimeError(
                f"the repository {repository} is not in the cache ({get_dir()}), and janus-jit downloads none: it can be "
                f"unpacked into {found[0]}"
            )
    path = os.path.join(folder, "hubconf.py")
    space = {"__name__": "hubconf", "__file__": path}
    sys.path.insert(0, folder)
    try:
        with open(path) as f:
            exec(compile(f.read(), path, "exec"), space)
    finally:
        sys.path.remove(folder)
    return space, folder


def _entry(space, name):
    if not isinstance(name, str):
        raise ValueError("Invalid input: model should be a string of function name")
    found = space.get(name)
    if not callable(found):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return found


def load(
    repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True, skip_validation=False, **kwargs
):
    if force_reload:
        raise refused("torch.hub.load", "force_reload")
    space, folder = _entries(repo_or_dir, source.lower())
    if source.lower() == "github" and verbose:
        sys.stderr.write(f"Using cache found in {folder}\n")
    sys.path.insert(0, folder)
    try:
        return _entry(space, model)(*args, **kwargs)
    finally:
        sys.path.remove(folder)


def list(github, force_reload=False, skip_validation=False, trust_repo=None, verbose=True):
    if force_reload:
        raise refused("torch.hub.list", "force_reload")
    space, _ = _entries(github, "github")
    return [name for name, value in space.items() if callable(value) and not name.startswith("_")]


def __getattr__(name):
    return _C._missing_name("torch.hub", name)
