"""Runs a script as a user of another compiler would have edited it.

    python drive.py MODE NAMES SCRIPT [ARGUMENT ...]

MODE is `compile`, `script` or `numba`: the functions among NAMES (`function` or `Class.method`, with
commas between them) are decorated with torch.compile, torch.jit.script or numba.njit; of the classes
among them every instance that is made goes through it. The file itself is not changed. Compiled code
draws random numbers of its own; with `compile-eager-random` it draws eager's, which makes it slower.
"""

import ast
import sys
import types

TOOLS = {
    "compile": ("torch", "compile"),
    "compile-eager-random": ("torch", "compile"),
    "script": ("torch", "jit.script"),
    "numba": ("numba", "njit"),
}


def imported(module, attribute):
    """The expression `__import__("module").attribute`, which needs no name in the script."""
    text = f"__import__({module!r}).{attribute}"
    return ast.parse(text, mode="eval").body


class Edit(ast.NodeTransformer):
    def __init__(self, mode, names, classes):
        self.tool = TOOLS[mode]
        self.names = names
        self.classes = names & classes
        self.path = []
        self.found = set(self.classes)

    def visit_ClassDef(self, node):
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()
        return node

    def visit_FunctionDef(self, node):
        name = ".".join([*self.path, node.name])
        if name in self.names:
            self.found.add(name)
            node.decorator_list.insert(0, imported(*self.tool))
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.classes:
            return ast.Call(imported(*self.tool), [node], [])
        return node


def main():
    mode, names, script = sys.argv[1:4]
    if mode == "compile-eager-random":
        import torch._inductor.config

        torch._inductor.config.fallback_random = True
    names = set(names.split(","))
    sys.argv = sys.argv[3:]
    with open(script) as file:
        tree = ast.parse(file.read(), script)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    edit = Edit(mode, names, classes)
    tree = ast.fix_missing_locations(edit.visit(tree))
    if edit.found != names:
        sys.exit(f"{script} has no {', '.join(sorted(names - edit.found))}")
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    exec(compile(tree, script, "exec"), module.__dict__)


main()
