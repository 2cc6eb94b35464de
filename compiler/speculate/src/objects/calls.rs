//! Calls: Python functions are inlined, classes instantiated, known natives done here.
//!
//! In: a callable and arguments. Out: the result. Always: arguments are bound as CPython binds
//! them; a call that would raise is not converted.

use indexmap::IndexSet;
use janus_object::{Class, CodeObject, ExcKind, Name, PyDict, PyFunction, PyRef, Value};
use janus_plan::{Check, Node, ReasonId, Recursion, Refusal, Relax, Step};

use crate::entry::known_warnings::{Warned, is_warn};
use crate::executor::Executor;
use crate::objects::deepcopy::is_deepcopy;
use crate::state::sym::{HeapObject, Kind, Obj, Slot, Sym, SymCell, SymDict, SymFrame, Unloaded};
use crate::{Res, Stop};

/// What binding needs of a function.
struct Callee {
    code: PyRef<CodeObject>,
    globals: PyRef<PyDict>,
    defaults: Vec<Sym>,
    kw_defaults: Vec<(Name, Sym)>,
    closure: Vec<Obj>,
}

/// Calls of recursions over objects that are inlined at most.
const MAX_RECURSIVE: u32 = 256;

/// Calls of one function inside of one another, each in a branch that the graph decides, at most.
const MAX_UNDECIDED: usize = 3;

impl Executor<'_> {
    /// Calls anything.
    pub(crate) fn call(
        &mut self,
        callable: &Sym,
        mut args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        match callable {
            Sym::Known(Value::Function(f)) => {
                if let ([v], true, true) = (&args[..], kwargs.is_empty(), is_deepcopy(f))
                    && let Some(copy) = self.deep_copy(v)?
                {
                    return Ok(copy);
                }
                if is_warn(f) && self.gives_in_vain(&args, &kwargs) {
                    return Ok(Sym::Known(Value::None));
                }
                let callee = self.callee(&f.clone())?;
                self.call_python(callee, args, kwargs)
            }
            Sym::Known(Value::Native(native)) => self.call_native(&native.clone(), args, kwargs),
            Sym::Known(Value::Class(class)) => self.call_class(&class.clone(), args, kwargs),
            Sym::Known(Value::Method(method)) => {
                let method = method.clone();
                let receiver = self.pinned(method.receiver.clone())?;
                args.insert(0, receiver);
                self.call(&Sym::Known(method.function.clone()), args, kwargs)
            }
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Method { function, receiver } => {
                    args.insert(0, receiver);
                    self.call(&function, args, kwargs)
                }
                Kind::Function(f) => {
                    let callee = Callee {
                        code: f.code.clone(),
                        globals: f.globals.clone(),
                        defaults: f.defaults.clone(),
                        kw_defaults: f.kw_defaults.clone(),
                        closure: f.closure.clone(),
                    };
                    self.call_python(callee, args, kwargs)
                }
                Kind::Instance(_) => match self.python_method(callable, "__call__")? {
                    Some(method) => {
                        args.insert(0, callable.clone());
                        self.call(&method, args, kwargs)
                    }
                    None => self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: the object is not callable",
                    ),
                },
                _ => self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: the object is not callable",
                ),
            },
            Sym::Known(v @ Value::Instance(i)) if is_partial(&i.class()) => {
                self.call_partial(&v.clone(), args, kwargs)
            }
            Sym::Known(v) => self.refuse(
                ReasonId::NoGraphForm,
                format!("a call of a {}", v.type_name()),
            ),
            _ => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a call of what is not callable",
            ),
        }
    }

    /// Whether a call of `warnings.warn` does nothing.
    fn gives_in_vain(&mut self, args: &[Sym], kwargs: &[(Name, Sym)]) -> bool {
        let named = |name: &str| {
            let found = kwargs.iter().find(|(n, _)| n.as_str() == name);
            found.map(|(_, v)| v)
        };
        let given = |at: usize, name: &str| args.get(at).or_else(|| named(name));
        let names = ["message", "category", "stacklevel"];
        if args.len() > names.len() || kwargs.iter().any(|(n, _)| !names.contains(&n.as_str())) {
            return false;
        }
        let category = match given(1, "category") {
            None | Some(Sym::Known(Value::None)) => ExcKind::UserWarning.class(),
            Some(Sym::Known(Value::Class(class)))
                if class.is_subclass_of(&ExcKind::Warning.class()) =>
            {
                class.clone()
            }
            Some(_) => return false,
        };
        let out = match given(2, "stacklevel") {
            None => 1,
            Some(Sym::Known(Value::Int(n))) => *n,
            Some(_) => return false,
        };
        let text = match given(0, "message") {
            Some(Sym::Known(Value::Str(text))) => Some(text.clone()),
            Some(Sym::Obj(o)) if matches!(self.state.heap[*o].kind, Kind::Text(_)) => None,
            _ => return false,
        };
        let out = usize::try_from((out - 1).max(0)).ok();
        let Some(at) = out.and_then(|out| self.warned_from(out)) else {
            return false;
        };
        self.is_warned_in_vain(&Warned {
            text: text.as_ref().map(|t| t.as_str()),
            category,
            at,
        })
    }

    /// A call of a `functools.partial`, whose parts never change.
    fn call_partial(
        &mut self,
        partial: &Value,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let mut part = |name: &str| janus_object::attr::get(self.vm, partial, &Name::new(name));
        let (Ok(function), Ok(Value::Tuple(first)), Ok(Value::Dict(named))) =
            (part("func"), part("args"), part("keywords"))
        else {
            return self.defect("a partial that has no parts");
        };
        let function = self.pinned(function)?;
        let mut all = Vec::with_capacity(first.items.len() + args.len());
        for v in first.items.iter() {
            all.push(self.pinned(v.clone())?);
        }
        all.extend(args);
        let mut keywords = Vec::new();
        for (k, v) in named.items() {
            if let Value::Str(k) = k {
                let k = Name::new(k.as_str());
                if !kwargs.iter().any(|(given, _)| *given == k) {
                    keywords.push((k, self.pinned(v)?));
                }
            }
        }
        keywords.extend(kwargs);
        self.call(&function, all, keywords)
    }

    fn callee(&mut self, f: &PyRef<PyFunction>) -> Res<Callee> {
        let known = |n: &janus_plan::Node| matches!((&n.step, &n.check), (Step::Pinned(Value::Function(g)), Check::FunctionVersion(_)) if PyRef::ptr_eq(f, g));
        if !f.code.borrow().code.is_library() && !self.entry.nodes.iter().any(known) {
            let step = Step::Pinned(Value::Function(f.clone()));
            let check = Check::FunctionVersion(f.version.get());
            let path = f.code.borrow().code.qualname.clone();
            self.node(step, check, &path);
        }
        let defaults = f.defaults.borrow().clone();
        let defaults = defaults
            .iter()
            .map(|v| self.pinned(v.clone()))
            .collect::<Res<Vec<_>>>()?;
        let kw = f.kw_defaults.borrow().clone();
        let mut kw_defaults = Vec::new();
        for (k, v) in kw.map(|d| d.items()).unwrap_or_default() {
            if let Value::Str(s) = &k {
                kw_defaults.push((Name::new(s.as_str()), self.pinned(v)?));
            }
        }
        let code = f.code.borrow().clone();
        let closure = f
            .closure
            .iter()
            .zip(&code.code.freevars)
            .map(|(cell, name)| {
                let address = PyRef::as_ptr(cell) as usize;
                if let Some(&obj) = self.state.by_address.get(&address) {
                    self.guard_frame_cell(obj, cell);
                    return obj;
                }
                let content = match cell.value.borrow().as_ref() {
                    Some(value) => Slot::Unloaded(Unloaded {
                        step: Step::CellContent(cell.clone()),
                        value: value.clone(),
                        path: name.clone(),
                    }),
                    None => Slot::Empty,
                };
                let cell = SymCell {
                    content,
                    written: false,
                    cell: Some(cell.clone()),
                };
                self.register(
                    address,
                    HeapObject {
                        origin: None,
                        kind: Kind::Cell(cell),
                    },
                )
            })
            .collect();
        Ok(Callee {
            code,
            globals: f.globals.clone(),
            defaults,
            kw_defaults,
            closure,
        })
    }

    /// Which of the cells of the region's frame an object is, if it is one.
    pub(crate) fn frame_cell(&self, obj: Obj) -> Option<u32> {
        // They are the first objects of the heap.
        let code = &self.calls.active.first()?.code.code;
        let index = u32::try_from(obj).ok()?;
        (obj < code.cellvars.len() + code.freevars.len()).then_some(index)
    }

    /// Guards that a callee's cell is one of the region's frame, where it is now.
    fn guard_frame_cell(&mut self, obj: Obj, cell: &PyRef<janus_object::PyCell>) {
        let Some(index) = self.frame_cell(obj) else {
            return;
        };
        let is_same = |n: &Node| {
            matches!(n.step, Step::FrameCell(i) if i == index) && matches!(n.check, Check::Same(_))
        };
        if !self.entry.nodes.iter().any(is_same) {
            let path = "closure".into();
            let same = Check::Same(Value::Cell(cell.clone()));
            self.node(Step::FrameCell(index), same, &path);
        }
    }

    fn call_python(
        &mut self,
        callee: Callee,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        let code = callee.code.clone();
        let is_direct = std::mem::take(&mut self.calls.calls_directly);
        if self.recurses_over_objects(&code, &args) {
            let takes_in = self.region.relaxations.recursion == Recursion::Inlined;
            if takes_in && self.recursing.recursive_calls < MAX_RECURSIVE && self.is_in_place(&args)
            {
                self.recursing.recursive_calls += 1;
            } else if self.region.relaxations.recursion != Recursion::Invoked {
                return self.refuse(
                    ReasonId::Recursion,
                    "a recursion over objects, which takes another way each time",
                );
            } else {
                if !args.iter().any(|v| self.may_be_data(v)) {
                    return self.refuse(
                        ReasonId::Recursion,
                        "a recursion over objects that a graph cannot read",
                    );
                }
                if !self.is_graph_of_its_own(&code) {
                    code.profile.recursive.set(true);
                    return Err(Stop::Again(Relax::Recursive));
                }
            }
        }
        let is_own = self.is_graph_of_its_own(&code) && !self.is_part_of_recursion(&code);
        if is_own && args.iter().any(|v| self.may_be_data(v)) {
            // With one thing or another as argument, it is called for each.
            args.iter().try_for_each(|v| self.decided(v))?;
            let frame = self.bind_arguments(callee, args, kwargs)?;
            return self.invoke(frame);
        }
        if self.undecided_recursion(&code) >= MAX_UNDECIDED {
            return Err(Stop::Undecided(Box::new(self.located(Refusal::new(
                ReasonId::Recursion,
                "a recursion that ends where the graph's own values say",
            )))));
        }
        let flags = code.code.flags;
        if flags.coroutine {
            return self.refuse(ReasonId::Coroutine, "a coroutine has no graph form");
        }
        let frame = self.bind_arguments(callee, args, kwargs)?;
        if flags.generator {
            return Ok(self.alloc(Kind::Generator(Some(Box::new(frame)))));
        }
        self.calls.calls_directly = is_direct;
        match self.run_inlined(frame) {
            Err(Stop::Undecided(not))
                if !self
                    .calls
                    .active
                    .iter()
                    .any(|a| PyRef::ptr_eq(&a.code, &code)) =>
            {
                Err(Stop::Not(not))
            }
            ran => ran,
        }
    }

    /// How many calls of this code that are under way are in a branch which the graph decides: nothing
    /// known ends the recursion, and both sides of each branch would be run.
    fn undecided_recursion(&self, code: &PyRef<CodeObject>) -> usize {
        let inner = self.calls.active.iter().skip(1).map(|a| a.context);
        let inner = inner.chain(std::iter::once(self.emission.context));
        let calls = self.calls.active.iter().zip(inner);
        calls
            .filter(|(a, inner)| PyRef::ptr_eq(&a.code, code) && a.context != *inner)
            .count()
    }

    /// Whether a call is recursive and driven by an object that was there at entry, other than those
    /// that the function was called with before. A recursion over numbers ends where they say, one over
    /// modules within modules where these end.
    fn recurses_over_objects(&self, code: &PyRef<CodeObject>, args: &[Sym]) -> bool {
        if code.code.is_library() {
            return false;
        }
        let outer = self
            .calls
            .active
            .iter()
            .rev()
            .find(|a| PyRef::ptr_eq(&a.code, code));
        let Some(outer) = outer else { return false };
        args.iter().any(|arg| {
            let is_same = |s: &Slot| matches!(s, Slot::Loaded(v) if v.same(arg));
            self.is_data(arg) && !outer.arguments.iter().any(is_same)
        })
    }

    /// Whether what a recursion goes over is found at the same place each time: not what a loop is at.
    fn is_in_place(&self, args: &[Sym]) -> bool {
        args.iter().filter(|v| self.is_data(v)).all(|v| {
            let Sym::Obj(o) = v else { return false };
            let mut at = self.state.heap[*o].origin.as_ref().map(|o| o.node);
            while let Some(node) = at {
                let Some(node) = self.entry.nodes.get(node.0 as usize) else {
                    return false;
                };
                match &node.step {
                    Step::Stack(_) | Step::ItemAt(..) | Step::DictAt(..) => return false,
                    step => at = step.parent(),
                }
            }
            self.state.heap[*o].origin.is_some()
        })
    }

    fn bind_arguments(
        &mut self,
        callee: Callee,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<SymFrame> {
        let code = &callee.code.code;
        let argcount = code.argcount as usize;
        let named = argcount + code.kwonly_argcount as usize;
        let mut locals = vec![Slot::Empty; code.varnames.len()];
        let given = args.len();
        if given > argcount && !code.flags.varargs {
            return self.refuse(
                ReasonId::WouldRaise,
                format!(
                    "it would raise: {}() takes {argcount} positional arguments",
                    code.name
                ),
            );
        }
        let mut args = args.into_iter();
        for slot in locals.iter_mut().take(argcount) {
            match args.next() {
                Some(v) => *slot = Slot::Loaded(v),
                None => break,
            }
        }
        if code.flags.varargs {
            let rest = self.tuple(args.collect());
            locals[named] = Slot::Loaded(rest);
        }
        let mut extra = SymDict {
            entries: Vec::new(),
            written: Vec::new(),
            removed: Vec::new(),
        };
        for (name, value) in kwargs {
            let at = code.varnames[..named]
                .iter()
                .position(|n| &**n == name.as_str());
            match at.filter(|&i| i >= code.posonly_argcount as usize) {
                Some(i) if matches!(locals[i], Slot::Empty) => locals[i] = Slot::Loaded(value),
                Some(_) => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: an argument is given twice",
                    );
                }
                None if code.flags.varkw => {
                    extra
                        .entries
                        .push((Sym::Known(name.to_value()), Slot::Loaded(value)));
                }
                None => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        format!("it would raise: unexpected keyword '{}'", name.as_str()),
                    );
                }
            }
        }
        if code.flags.varkw {
            let dict = self.alloc(Kind::Dict(extra));
            locals[named + usize::from(code.flags.varargs)] = Slot::Loaded(dict);
        }
        let first_default = argcount.saturating_sub(callee.defaults.len());
        for (i, default) in callee.defaults.iter().enumerate() {
            if matches!(locals[first_default + i], Slot::Empty) {
                locals[first_default + i] = Slot::Loaded(default.clone());
            }
        }
        for (local, name) in locals[argcount..named]
            .iter_mut()
            .zip(&code.varnames[argcount..named])
        {
            if matches!(local, Slot::Empty)
                && let Some((_, v)) = callee.kw_defaults.iter().find(|(n, _)| *n == **name)
            {
                *local = Slot::Loaded(v.clone());
            }
        }
        if let Some(i) = locals[..named]
            .iter()
            .position(|s| matches!(s, Slot::Empty))
        {
            return self.refuse(
                ReasonId::WouldRaise,
                format!("it would raise: missing argument '{}'", code.varnames[i]),
            );
        }
        let mut cells = self.own_cells(&callee.code, &locals);
        cells.extend(callee.closure);
        Ok(SymFrame {
            code: callee.code.clone(),
            globals: callee.globals,
            namespace: None,
            locals,
            written: IndexSet::new(),
            cells,
            stack: Vec::new(),
            below: 0,
            pc: 0,
            gathers: None,
        })
    }

    /// The cells that a call makes, with what its arguments put into them.
    pub(crate) fn own_cells(&mut self, code: &CodeObject, locals: &[Slot]) -> Vec<Obj> {
        let code = &code.code;
        let mut cells = Vec::with_capacity(code.cellvars.len());
        for name in &code.cellvars {
            let parameter = code.varnames[..code.parameter_count()]
                .iter()
                .position(|n| n == name);
            let content = parameter.map_or(Slot::Empty, |i| locals[i].clone());
            let cell = SymCell {
                content,
                written: false,
                cell: None,
            };
            self.state.heap.push(HeapObject {
                origin: None,
                kind: Kind::Cell(cell),
            });
            cells.push(self.state.heap.len() - 1);
        }
        cells
    }

    // ---- argument lists ------------------------------------------------------------------

    /// A mapping of known string keys, for `**mapping`.
    pub(crate) fn keyword_mapping(&mut self, mapping: &Sym) -> Res<Vec<(Name, Sym)>> {
        self.merged_entries(mapping)?
            .into_iter()
            .map(|(k, v)| match k {
                Sym::Known(Value::Str(s)) => Ok((Name::new(s.as_str()), v)),
                _ => self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: keywords must be strings",
                ),
            })
            .collect()
    }

    /// Keys and values of a dict, or of an iterable of pairs.
    pub(crate) fn pairs(&mut self, from: &Sym) -> Res<Vec<(Sym, Sym)>> {
        let is_dict = match from {
            Sym::Known(v) => matches!(v, Value::Dict(_)),
            _ => {
                self.dict_owner(from).is_some()
                    || self
                        .container(from)
                        .is_some_and(|o| matches!(self.state.heap[o].kind, Kind::Dict(_)))
            }
        };
        if is_dict {
            return self.merged_entries(from);
        }
        if self.python_method(from, "keys")?.is_some() {
            return self.refuse(ReasonId::NoGraphForm, "a dict of a mapping that is no dict");
        }
        let mut pairs = Vec::new();
        for pair in self.collect(from)? {
            match self.collect(&pair)?.as_slice() {
                [k, v] => pairs.push((k.clone(), v.clone())),
                _ => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: a dict of what are no pairs",
                    );
                }
            }
        }
        Ok(pairs)
    }

    /// Keys and values as another dict takes them over: those that a dict stores, unless its class says otherwise.
    pub(crate) fn merged_entries(&mut self, mapping: &Sym) -> Res<Vec<(Sym, Sym)>> {
        for method in ["__iter__", "keys", "__getitem__"] {
            let Some(m) = self.python_method(mapping, method)? else {
                continue;
            };
            let is_library =
                matches!(&m, Sym::Known(Value::Function(f)) if f.code.borrow().code.is_library());
            if !is_library {
                return self.refuse(
                    ReasonId::SpecialMethod,
                    format!("a dict with a {method} of its own is merged"),
                );
            }
        }
        self.entries(mapping)
    }

    /// Keys and values of a dict.
    pub(crate) fn entries(&mut self, mapping: &Sym) -> Res<Vec<(Sym, Sym)>> {
        if let Sym::Known(Value::Dict(d)) = mapping
            && d.is_empty()
        {
            return Ok(Vec::new());
        }
        if let Some(owner) = self.dict_owner(mapping) {
            return self.own_entries(owner);
        }
        let Some(obj) = self.container(mapping) else {
            return self.refuse(
                ReasonId::MovingValue,
                "which dict is taken apart depends on what moves",
            );
        };
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return self.refuse(
                ReasonId::MovingValue,
                "a dict is taken apart whose keys move",
            );
        };
        let keys: Vec<Sym> = dict.entries.iter().map(|(k, _)| k.clone()).collect();
        let mut entries = Vec::with_capacity(keys.len());
        for key in keys {
            match self.dict_get(obj, &key)? {
                Some(v) => entries.push((key, v)),
                None => return self.defect("bad dict"),
            }
        }
        Ok(entries)
    }
}

fn is_partial(class: &PyRef<Class>) -> bool {
    class.name.borrow().as_str() == "partial" && !class.flags.get().mutable
}
