"""What the names of a program's blocks are: locals, globals, cells; found in its syntax tree by the rules of CPython's compiler."""

import ast

__all__ = ["symtable", "SymbolTable", "Class", "Function", "Symbol"]

# What is done with a name in a block.
_GLOBAL, _LOCAL, _PARAM, _NONLOCAL, _USE, _IMPORT, _ANNOT = (1 << bit for bit in range(7))
_BOUND = _LOCAL | _PARAM | _IMPORT
# What it is there.
_IS_LOCAL, _IS_EXPLICIT, _IS_IMPLICIT, _IS_FREE, _IS_CELL = "local", "explicit", "implicit", "free", "cell"
_COMPREHENSIONS = {
    ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp", ast.GeneratorExp: "genexpr",
}


class _Block:
    def __init__(self, kind, name, lineno, around, owner=None):
        self.kind, self.name, self.lineno, self.around = kind, name, lineno, around
        self.nested = around is not None and (around.nested or around.kind == "function")
        self.is_comprehension = False
        # The class whose private names are its own here.
        self.owner = owner
        self.symbols, self.scopes, self.children = {}, {}, []
        if around is not None:
            around.children.append(self)

    def __repr__(self):
        return f"<symtable entry {self.name}({id(self)}), line {self.lineno}>"

    def mangled(self, name):
        owner = (self.owner or "").lstrip("_")
        if not owner or not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        return f"_{owner}{name}"

    def add(self, name, what):
        name = self.mangled(name)
        self.symbols[name] = self.symbols.get(name, 0) | what
        if what & _GLOBAL:
            # The module has it then, too.
            module = self
            while module.around is not None:
                module = module.around
            module.symbols[name] = module.symbols.get(name, 0) | _GLOBAL

    def analyze(self, bound, free, known):
        """Finds out what its names are; `bound` of functions around it, None outside of any. Adds to `free` what it takes from
        these."""
        own, inner_known, inner_bound, inner_free = set(), set(), set(), set()
        is_class = self.kind == "class"
        if is_class:
            inner_known |= known
            inner_bound |= bound or set()
        for name, what in self.symbols.items():
            self.scopes[name] = self.scope_of(name, what, bound, own, free, known)
        if is_class:
            inner_bound.add("__class__")
        else:
            if self.kind == "function":
                inner_bound |= own
            inner_bound |= bound or set()
            inner_known |= known
        for child in self.children:
            taken = set(inner_free)
            child.analyze(set(inner_bound), taken, set(inner_known))
            inner_free |= taken
        if self.kind == "function":
            for name, scope in self.scopes.items():
                if scope == _IS_LOCAL and name in inner_free:
                    self.scopes[name] = _IS_CELL
                    inner_free.discard(name)
        elif is_class:
            inner_free.discard("__class__")
        for name in inner_free:
            # What blocks inside take through this one.
            if name not in self.symbols and (bound is None or name in bound):
                self.symbols[name], self.scopes[name] = 0, _IS_FREE
        free |= inner_free

    def scope_of(self, name, what, bound, own, free, known):
        if what & _GLOBAL:
            known.add(name)
            if bound is not None:
                bound.discard(name)
            return _IS_EXPLICIT
        if what & _NONLOCAL:
            free.add(name)
            return _IS_FREE
        if what & _BOUND:
            own.add(name)
            known.discard(name)
            return _IS_LOCAL
        if bound and name in bound:
            free.add(name)
            return _IS_FREE
        return _IS_IMPLICIT


class _Builder(ast.NodeVisitor):
    """Makes the blocks of a tree. Parts of a node are visited in the order in which the compiler does."""

    def __init__(self):
        self.block = self.top = _Block("module", "top", 0, None)
        self.has_string_annotations = False

    def visit_all(self, nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    def enter(self, kind, name, node, owner):
        self.block = _Block(kind, name, node.lineno, self.block, owner)

    def leave(self):
        self.block = self.block.around

    def annotation(self, node):
        if node is not None and not self.has_string_annotations:
            self.visit(node)

    def visit_ImportFrom(self, node):
        if node.module == "__future__" and any([alias.name == "annotations" for alias in node.names]):
            self.has_string_annotations = True
        self.visit_Import(node)

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name != "*":
                self.block.add(alias.asname or alias.name.partition(".")[0], _IMPORT)

    def visit_FunctionDef(self, node):
        self.block.add(node.name, _LOCAL)
        arguments = node.args
        self.visit_all(arguments.defaults)
        self.visit_all(arguments.kw_defaults)
        every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, arguments.kwarg, *arguments.kwonlyargs]
        for argument in every:
            if argument is not None:
                self.annotation(argument.annotation)
        self.annotation(node.returns)
        self.visit_all(node.decorator_list)
        self.enter("function", node.name, node, self.block.owner)
        self.parameters(arguments)
        self.visit_all(node.body)
        self.leave()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.visit_all(node.args.defaults)
        self.visit_all(node.args.kw_defaults)
        self.enter("function", "lambda", node, self.block.owner)
        self.parameters(node.args)
        self.visit(node.body)
        self.leave()

    def parameters(self, arguments):
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
            if argument is not None:
                self.block.add(argument.arg, _PARAM)

    def visit_ClassDef(self, node):
        self.block.add(node.name, _LOCAL)
        self.visit_all(node.bases)
        self.visit_all(node.keywords)
        self.visit_all(node.decorator_list)
        self.enter("class", node.name, node, node.name)
        self.visit_all(node.body)
        self.leave()

    def comprehension(self, node):
        first, *others = node.generators
        self.visit(first.iter)
        self.enter("function", _COMPREHENSIONS[type(node)], node, self.block.owner)
        self.block.is_comprehension = True
        self.block.add(".0", _PARAM)
        self.visit(first.target)
        self.visit_all(first.ifs)
        for other in others:
            self.visit(other.target)
            self.visit(other.iter)
            self.visit_all(other.ifs)
        if isinstance(node, ast.DictComp):
            self.visit(node.value)
            self.visit(node.key)
        else:
            self.visit(node.elt)
        self.leave()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_NamedExpr(self, node):
        name = node.target.id
        if self.block.is_comprehension:
            # It is a variable of the function around, or of the module.
            at = self.block.around
            while at.is_comprehension:
                at = at.around
            if at.kind == "function":
                is_global = at.symbols.get(at.mangled(name), 0) & _GLOBAL
                self.block.add(name, _GLOBAL if is_global else _NONLOCAL)
                at.add(name, _LOCAL)
            else:
                self.block.add(name, _GLOBAL)
                at.add(name, _GLOBAL)
        self.visit(node.value)
        self.visit(node.target)

    def visit_AnnAssign(self, node):
        if isinstance(node.target, ast.Name):
            if node.simple:
                self.block.add(node.target.id, _ANNOT | _LOCAL)
            elif node.value is not None:
                self.block.add(node.target.id, _LOCAL)
        else:
            self.visit(node.target)
        self.annotation(node.annotation)
        self.visit_all([node.value])

    def visit_Global(self, node):
        for name in node.names:
            self.block.add(name, _GLOBAL)

    def visit_Nonlocal(self, node):
        for name in node.names:
            self.block.add(name, _NONLOCAL)

    def visit_ExceptHandler(self, node):
        self.visit_all([node.type])
        if node.name:
            self.block.add(node.name, _LOCAL)
        self.visit_all(node.body)

    def visit_Name(self, node):
        is_read = isinstance(node.ctx, ast.Load)
        self.block.add(node.id, _USE if is_read else _LOCAL)
        if is_read and node.id == "super" and self.block.kind == "function":
            self.block.add("__class__", _USE)

    def visit_MatchAs(self, node):
        self.visit_all([node.pattern])
        if node.name:
            self.block.add(node.name, _LOCAL)

    def visit_MatchStar(self, node):
        if node.name:
            self.block.add(node.name, _LOCAL)

    def visit_MatchMapping(self, node):
        self.visit_all(node.keys)
        self.visit_all(node.patterns)
        if node.rest:
            self.block.add(node.rest, _LOCAL)


def symtable(code, filename, compile_type):
    """The table of a program's module, with those of its functions and classes."""
    # What is wrong with names beyond the syntax is the compiler's to say.
    compile(code, filename, compile_type)
    builder = _Builder()
    tree = compile(code, filename, compile_type, ast.PyCF_ONLY_AST)
    builder.visit_all(tree.body if isinstance(tree.body, list) else [tree.body])
    builder.top.analyze(None, set(), set())
    return _table(builder.top, filename)


def _table(block, filename):
    # A block has one table, so that what is asked twice is the same.
    if getattr(block, "table", None) is None:
        kind = {"function": Function, "class": Class}.get(block.kind, SymbolTable)
        block.table = kind(block, filename)
    return block.table


class SymbolTable:
    def __init__(self, raw_table, filename):
        self._table, self._filename, self._symbols = raw_table, filename, {}

    def __repr__(self):
        kind = "" if type(self) is SymbolTable else f"{type(self).__name__} "
        where = f"module {self._filename}" if self._table.name == "top" else f"{self._table.name} in {self._filename}"
        return f"<{kind}SymbolTable for {where}>"

    def get_type(self):
        return self._table.kind

    def get_id(self):
        return id(self._table)

    def get_name(self):
        return self._table.name

    def get_lineno(self):
        return self._table.lineno

    def is_optimized(self):
        return self._table.kind == "function"

    def is_nested(self):
        return self._table.nested

    def has_children(self):
        return bool(self._table.children)

    def get_identifiers(self):
        return self._table.symbols.keys()

    def lookup(self, name):
        if name not in self._symbols:
            what, scope = self._table.symbols[name], self._table.scopes[name]
            inside = [child for child in self.get_children() if child.get_name() == name]
            self._symbols[name] = Symbol(name, what, inside, scope=scope, module_scope=self._table.name == "top")
        return self._symbols[name]

    def get_symbols(self):
        return [self.lookup(name) for name in self.get_identifiers()]

    def get_children(self):
        return [_table(child, self._filename) for child in self._table.children]


class Function(SymbolTable):
    def _names(self, test):
        return tuple([name for name, what in self._table.symbols.items() if test(what, self._table.scopes[name])])

    def get_parameters(self):
        return self._names(lambda what, scope: what & _PARAM)

    def get_locals(self):
        return self._names(lambda what, scope: scope in (_IS_LOCAL, _IS_CELL))

    def get_globals(self):
        return self._names(lambda what, scope: scope in (_IS_IMPLICIT, _IS_EXPLICIT))

    def get_nonlocals(self):
        return self._names(lambda what, scope: what & _NONLOCAL)

    def get_frees(self):
        return self._names(lambda what, scope: scope == _IS_FREE)


class Class(SymbolTable):
    def get_methods(self):
        return tuple(dict.fromkeys([child.name for child in self._table.children]))


class Symbol:
    def __init__(self, name, flags, namespaces=None, *, scope=None, module_scope=False):
        self._name, self._flags, self._namespaces = name, flags, namespaces or ()
        self._scope, self._is_of_module = scope, module_scope

    def __repr__(self):
        return f"<symbol {self._name!r}>"

    def get_name(self):
        return self._name

    def is_referenced(self):
        return bool(self._flags & _USE)

    def is_parameter(self):
        return bool(self._flags & _PARAM)

    def is_global(self):
        return self._scope in (_IS_IMPLICIT, _IS_EXPLICIT) or self._is_bound_in_module()

    def is_nonlocal(self):
        return bool(self._flags & _NONLOCAL)

    def is_declared_global(self):
        return self._scope == _IS_EXPLICIT

    def is_local(self):
        return self._scope in (_IS_LOCAL, _IS_CELL) or self._is_bound_in_module()

    def _is_bound_in_module(self):
        return self._is_of_module and bool(self._flags & _BOUND)

    def is_annotated(self):
        return bool(self._flags & _ANNOT)

    def is_free(self):
        return self._scope == _IS_FREE

    def is_imported(self):
        return bool(self._flags & _IMPORT)

    def is_assigned(self):
        return bool(self._flags & _LOCAL)

    def is_namespace(self):
        return bool(self._namespaces)

    def get_namespaces(self):
        return self._namespaces

    def get_namespace(self):
        if not self._namespaces:
            raise ValueError("name is not bound to any namespaces")
        if len(self._namespaces) > 1:
            raise ValueError("name is bound to multiple namespaces")
        return self._namespaces[0]
