"""The functions and classes that a module's text defines, without running it."""

import ast
import sys
from importlib.machinery import PathFinder

__all__ = ["readmodule", "readmodule_ex", "Class", "Function"]

_modules = {}


class _Object:
    def __init__(self, module, name, file, lineno, end_lineno, parent):
        self.module = module
        self.name = name
        self.file = file
        self.lineno = lineno
        self.end_lineno = end_lineno
        self.parent = parent
        self.children = {}
        if parent is not None:
            parent.children[name] = self


class Function(_Object):
    def __init__(self, module, name, file, lineno, parent=None, is_async=False, *, end_lineno=None):
        super().__init__(module, name, file, lineno, end_lineno, parent)
        self.is_async = is_async
        if isinstance(parent, Class):
            parent.methods[name] = lineno


class Class(_Object):
    def __init__(self, module, name, super_, file, lineno, parent=None, *, end_lineno=None):
        super().__init__(module, name, file, lineno, end_lineno, parent)
        self.super = super_ or []
        self.methods = {}


def _nest_function(ob, func_name, lineno, end_lineno, is_async=False):
    return Function(ob.module, func_name, ob.file, lineno, parent=ob, is_async=is_async, end_lineno=end_lineno)


def _nest_class(ob, class_name, lineno, end_lineno, super=None):
    return Class(ob.module, class_name, super, ob.file, lineno, parent=ob, end_lineno=end_lineno)


def readmodule(module, path=None):
    return {name: found for name, found in _readmodule(module, path or []).items() if isinstance(found, Class)}


def readmodule_ex(module, path=None):
    return _readmodule(module, path or [])


def _readmodule(module, path, inpackage=None):
    full = f"{inpackage}.{module}" if inpackage is not None else module
    if full in _modules:
        return _modules[full]
    tree = {}
    if module in sys.builtin_module_names and inpackage is None:
        _modules[module] = tree
        return tree
    if "." in module:
        package, _, submodule = module.rpartition(".")
        parent = _readmodule(package, path, inpackage)
        if inpackage is not None:
            package = f"{inpackage}.{package}"
        if "__path__" not in parent:
            raise ImportError(f"No package named {package}")
        return _readmodule(submodule, parent["__path__"], package)
    search = path if inpackage is not None else path + sys.path
    spec = _find_spec(full, search)
    if spec is None:
        raise ModuleNotFoundError(f"no module named {full!r}", name=full)
    _modules[full] = tree
    if spec.submodule_search_locations is not None:
        tree["__path__"] = spec.submodule_search_locations
    try:
        source = spec.loader.get_source(full)
    except (AttributeError, ImportError):
        return tree
    if source is None:
        return tree
    filename = spec.loader.get_filename(full)
    _Browser(full, path, filename, tree, inpackage).visit(ast.parse(source))
    return tree


def _find_spec(full, search):
    known = sys.modules.get(full)
    if known is not None:
        return known.__spec__
    return PathFinder.find_spec(full, search)


class _Browser(ast.NodeVisitor):
    def __init__(self, module, path, file, tree, inpackage):
        self.module, self.path, self.file, self.tree, self.inpackage = module, path, file, tree, inpackage
        self.around = []

    def _inside(self, node, found):
        if not self.around:
            self.tree[node.name] = found
        self.around.append(found)
        self.generic_visit(node)
        self.around.pop()

    def _base(self, node):
        """A base class: what is known of it, else its name."""
        name = ast.unparse(node)
        if name in self.tree:
            return self.tree[name]
        module, dot, last = name.rpartition(".")
        if dot:
            module = module.rpartition(".")[2]
            if module in _modules:
                return _modules[module].get(last, name)
        return name

    def visit_ClassDef(self, node):
        parent = self.around[-1] if self.around else None
        bases = [self._base(base) for base in node.bases]
        self._inside(node, Class(self.module, node.name, bases, self.file, node.lineno, parent,
                                 end_lineno=node.end_lineno))

    def _function(self, node, is_async):
        parent = self.around[-1] if self.around else None
        self._inside(node, Function(self.module, node.name, self.file, node.lineno, parent, is_async,
                                    end_lineno=node.end_lineno))

    def visit_FunctionDef(self, node):
        self._function(node, False)

    def visit_AsyncFunctionDef(self, node):
        self._function(node, True)

    def visit_Import(self, node):
        if node.col_offset:
            return
        for alias in node.names:
            try:
                try:
                    _readmodule(alias.name, self.path, self.inpackage)
                except ImportError:
                    _readmodule(alias.name, [])
            except (ImportError, SyntaxError):
                continue

    def visit_ImportFrom(self, node):
        if node.col_offset:
            return
        try:
            module = "." * node.level + (node.module or "")
            found = _readmodule(module, self.path, self.inpackage)
        except (ImportError, SyntaxError):
            return
        for alias in node.names:
            if alias.name in found:
                self.tree[alias.asname or alias.name] = found[alias.name]
            elif alias.name == "*":
                for name, value in found.items():
                    if not name.startswith("_"):
                        self.tree[name] = value
