"""Modules in zip files: the finder and loader of entries of `sys.path` that are, or lie in, one."""

import os
import sys
import zipfile
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import decode_source, spec_from_loader

__all__ = ["ZipImportError", "zipimporter"]


class ZipImportError(ImportError):
    pass


def _run(path):
    """Runs the `__main__` of a zip file as the script."""
    try:
        importer = zipimporter(path)
        code = importer.get_code("__main__")
    except ZipImportError:
        print(f"{sys.executable}: can't find '__main__' module in {path!r}", file=sys.stderr)
        sys.exit(1)
    main = sys.modules["__main__"]
    main.__file__, main.__loader__, main.__package__ = importer.get_filename("__main__"), importer, ""
    main.__spec__, main.__cached__ = importer.find_spec("__main__"), None
    exec(code, main.__dict__)


class zipimporter(InspectLoader):
    def __init__(self, path):
        path, self.prefix = os.fspath(path), ""
        archive = path
        while archive and not os.path.isfile(archive):
            archive, _, name = archive.rpartition(os.sep)
            self.prefix = os.path.join(name, self.prefix)
        if not archive or not zipfile.is_zipfile(archive):
            raise ZipImportError(f"not a Zip file: {path!r}", path=path)
        self.archive = archive
        with zipfile.ZipFile(archive) as opened:
            self._names = set(opened.namelist())

    def _file_of(self, fullname):
        name = self.prefix + fullname.rpartition(".")[2]
        for file, is_package in ((name + "/__init__.py", True), (name + ".py", False)):
            if file in self._names:
                return file, is_package
        return None, False

    def _existing(self, fullname):
        file, is_package = self._file_of(fullname)
        if file is None:
            raise ZipImportError(f"can't find module {fullname!r}", name=fullname)
        return file, is_package

    def find_spec(self, fullname, target=None):
        file, is_package = self._file_of(fullname)
        path = os.path.join(self.archive, self.prefix + fullname.rpartition(".")[2])
        if file is None:
            # A directory without `__init__.py` is a part of a namespace package.
            if path[len(self.archive) + 1:] + "/" not in self._names:
                return None
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [path]
            return spec
        spec = spec_from_loader(fullname, self, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [path]
        return spec

    def is_package(self, fullname):
        return self._existing(fullname)[1]

    def get_filename(self, fullname):
        return os.path.join(self.archive, self._existing(fullname)[0])

    def get_data(self, pathname):
        if pathname.startswith(self.archive + os.sep):
            pathname = pathname[len(self.archive) + 1:]
        if pathname not in self._names:
            raise OSError(0, "", pathname)
        with zipfile.ZipFile(self.archive) as opened:
            return opened.read(pathname)

    def get_source(self, fullname):
        return decode_source(self.get_data(self._existing(fullname)[0]))

    def get_code(self, fullname):
        return compile(self.get_source(fullname), self.get_filename(fullname), "exec", dont_inherit=True)

    def load_module(self, fullname):
        from importlib.util import module_from_spec
        module = sys.modules[fullname] = module_from_spec(self.find_spec(fullname))
        self.exec_module(module)
        return sys.modules[fullname]

    def __repr__(self):
        return f'<zipimporter object "{os.path.join(self.archive, self.prefix)}">' if self.prefix \
            else f'<zipimporter object "{self.archive}">'
