"""Files: checksums, downloads, archives."""

import gzip
import hashlib
import os
import shutil
import tarfile
import urllib.request
import zipfile


def calculate_md5(fpath, chunk_size=1024 * 1024):
    md5 = hashlib.md5()
    with open(fpath, "rb") as f:
        while chunk := f.read(chunk_size):
            md5.update(chunk)
    return md5.hexdigest()


def check_md5(fpath, md5, **kwargs):
    return md5 == calculate_md5(fpath, **kwargs)


def check_integrity(fpath, md5=None):
    if not os.path.isfile(fpath):
        return False
    return md5 is None or check_md5(fpath, md5)


def download_url(url, root, filename=None, md5=None, max_redirect_hops=3):
    """Fetches a file unless it is there; RuntimeError if what comes is not what was expected."""
    root = os.path.expanduser(root)
    path = os.fspath(os.path.join(root, filename or os.path.basename(url)))
    os.makedirs(root, exist_ok=True)
    if check_integrity(path, md5):
        return
    if max_redirect_hops < 0:
        raise RecursionError(f"Request to {url} exceeded {max_redirect_hops} redirects.")
    request = urllib.request.Request(url, headers={"User-Agent": "pytorch/vision"})
    with urllib.request.urlopen(request) as response, open(path, "wb") as f:
        shutil.copyfileobj(response, f)
    if not check_integrity(path, md5):
        raise RuntimeError("File not found or corrupted.")


def extract_archive(from_path, to_path=None, remove_finished=False):
    """Unpacks a .tar, .zip or .gz file; the folder, or the file, that comes out."""
    from_path = os.fspath(from_path)
    to_path = os.path.dirname(from_path) if to_path is None else os.fspath(to_path)
    if from_path.endswith((".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tbz2")):
        with tarfile.open(from_path, "r:*") as tar:
            tar.extractall(to_path)
    elif from_path.endswith(".zip"):
        with zipfile.ZipFile(from_path) as z:
            z.extractall(to_path)
    elif from_path.endswith(".gz"):
        to_path = os.path.join(to_path, os.path.splitext(os.path.basename(from_path))[0])
        with gzip.open(from_path, "rb") as packed, open(to_path, "wb") as out:
            shutil.copyfileobj(packed, out)
    else:
        suffix = "".join(os.path.splitext(from_path)[1:])
        raise RuntimeError(f"File '{from_path}' has no suffixes that could be used to detect the archive type: '{suffix}'")
    if remove_finished:
        os.remove(from_path)
    return to_path


def download_and_extract_archive(
    url, download_root, extract_root=None, filename=None, md5=None, remove_finished=False
):
    download_root = os.path.expanduser(download_root)
    filename = filename or os.path.basename(url)
    download_url(url, download_root, filename, md5)
    archive = os.path.join(download_root, filename)
    extract_archive(archive, download_root if extract_root is None else extract_root, remove_finished)


def obtain(url, folder, filename, md5, unpack=False):
    """Downloads a file unless it is there, and unpacks it; who has no way to it is told where it can be put."""
    filename = filename or os.path.basename(url)
    try:
        if unpack:
            download_and_extract_archive(url, folder, filename=filename, md5=md5)
        else:
            download_url(url, folder, filename, md5)
    except OSError as error:
        raise RuntimeError(
            f"Error downloading {url}: {error}\nThe file can be put at {os.path.join(folder, filename)} instead."
        ) from error


def download_file_from_google_drive(file_id, root, filename=None, md5=None):
    """A file that is there already; Google's pages, which ask back before they hand out a large one, are not walked through."""
    path = os.fspath(os.path.join(os.path.expanduser(root), filename or file_id))
    if not check_integrity(path, md5):
        raise RuntimeError(
            f"Error downloading file {file_id} of Google Drive: janus-jit does not download from there. The file can be put at "
            f"{path} instead."
        )


def list_dir(root, prefix=False):
    root = os.path.expanduser(root)
    found = [d for d in os.listdir(root) if os.path.isdir(os.path.join(root, d))]
    return [os.path.join(root, d) for d in found] if prefix else found


def list_files(root, suffix, prefix=False):
    root = os.path.expanduser(root)
    found = [f for f in os.listdir(root) if os.path.isfile(os.path.join(root, f)) and f.endswith(suffix)]
    return [os.path.join(root, f) for f in found] if prefix else found


def verify_str_arg(value, arg=None, valid_values=None, custom_msg=None):
    if not isinstance(value, str):
        if arg is None:
            raise ValueError(f"Expected type str, but got type {type(value)}.")
        raise ValueError(f"Expected type str for argument {arg}, but got type {type(value)}.")
    if valid_values is not None and value not in valid_values:
        if custom_msg is not None:
            raise ValueError(custom_msg)
        options = "{'" + "', '".join(str(v) for v in valid_values) + "'}"
        raise ValueError(f"Unknown value '{value}' for argument {arg}. Valid values are {options}.")
    return value
