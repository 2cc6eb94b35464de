//! Attributes of objects: what is assumed of them, and the code that checks it.
//!
//! In: what the inline caches of tier 0 saw. Out: kinds of attributes, methods that are known, loads and stores of entries.
//! Always: an attribute is found by the version of its object's class and the layout of its dict, which the code compares
//! as the caches do; a site that met several classes has a way for each.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::Opcode;
use janus_interp::SeenAttr;
use janus_object::attr::is_method;
use janus_object::{Class, Name, PyDict, PyRef, Value, class_of};

use crate::arith::leaf;
use crate::effect::is_super;
use crate::emit::{Done, Emitter, Own, V, Why};
use crate::kind::{Kind, tag, tag_byte};
use crate::layout::{VALUE, payload};
use crate::list;
use crate::lower::Helper;
use crate::program::{MAX_SEEN, Program, State};
use crate::step::{Stop, unsupported};

/// What an attribute is.
pub(crate) enum Found {
    /// A value of a kind.
    Value(Kind),
    /// A method: a known function, to be called with the object.
    Method(usize),
    /// One of several methods, each in a way of its own.
    OneOf(Vec<usize>),
}

impl Program {
    /// What an attribute of an object is.
    pub(crate) fn attribute(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        name: &Name,
        object: &Kind,
        op: Opcode,
    ) -> Result<Found, Stop> {
        let Some(code) = self.units.get(at).map(|u| u.code.clone()) else {
            return Err(Stop::Pending);
        };
        let types = code.profile.site(pc).map_or(0, |s| s.types.get());
        let seen = self.learned.note_attr(&code, pc);
        if seen.is_empty() && types == 0 {
            return Err(Stop::Raises("what was never run".to_owned()));
        }
        let other = || unsupported(format!("the attribute '{name}' of {}", object.name()));
        match object {
            Kind::Object(tag::INSTANCE) => {}
            Kind::Known(k) => {
                let Some(Value::Class(class)) = self.known.get(*k).cloned() else {
                    return other();
                };
                let version = class.version.get();
                let of = seen.into_iter().find(|s| match s {
                    SeenAttr::OfClass { version: v, .. } => *v == version && *v != 0,
                    SeenAttr::MethodOfClass { version: v, .. } => {
                        *v == version && *v != 0 && op == Opcode::LoadMethod
                    }
                    _ => false,
                });
                let kind = match &of {
                    Some(SeenAttr::MethodOfClass { value, .. }) => {
                        if let Value::Function(function) = value {
                            self.rely_on(function);
                        }
                        let method = self.know(value.clone());
                        self.note_attr(at, id, pc, of.into_iter().collect(), &Kind::Keep);
                        return Ok(Found::Method(method));
                    }
                    Some(SeenAttr::OfClass {
                        value: Value::Instance(_),
                        ..
                    }) => Kind::Object(tag::INSTANCE),
                    Some(SeenAttr::OfClass { value, .. }) => self.constant_kind(value),
                    _ => return other(),
                };
                if matches!(kind, Kind::Tuple(_)) {
                    return other();
                }
                self.note_attr(at, id, pc, of.into_iter().collect(), &kind);
                return Ok(Found::Value(kind));
            }
            Kind::List(_) | Kind::Object(_) if op == Opcode::LoadMethod => {
                let of = seen.into_iter().find_map(|s| match s {
                    SeenAttr::Builtin(value @ Value::Native(_)) => Some(value),
                    _ => None,
                });
                let Some(value) = of.filter(|v| is_method_of(object, name, v)) else {
                    return other();
                };
                return Ok(Found::Method(self.know(value)));
            }
            _ => return other(),
        }
        if seen.is_empty() || (seen.len() >= MAX_SEEN && self.is_wide(at, pc)) {
            return other();
        }
        let methods: Option<Vec<Value>> = seen
            .iter()
            .map(|s| match s {
                SeenAttr::ClassValue { value, .. } if is_method(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if op == Opcode::LoadMethod
            && let Some(methods) = methods
        {
            let mut known: Vec<usize> = Vec::new();
            for method in methods {
                if let Value::Function(function) = &method {
                    self.rely_on(function);
                }
                known.push(self.know(method));
            }
            self.note_attr(at, id, pc, seen, &Kind::Keep);
            return Ok(match known.as_slice() {
                [one] => Found::Method(*one),
                _ => Found::OneOf(known),
            });
        }
        if let [SeenAttr::Static { value, .. }] = seen.as_slice() {
            if let Value::Function(function) = value {
                self.rely_on(function);
            }
            let kind = self.constant_kind(value);
            self.note_attr(at, id, pc, seen, &kind);
            return Ok(Found::Value(kind));
        }
        if let [SeenAttr::Getter { version, value }] = seen.as_slice()
            && let Value::Function(getter) = value
            && op == Opcode::LoadAttr
        {
            return match self.property(at, id, pc, *version, getter)? {
                Some(kind) => Ok(Found::Value(kind)),
                None => other(),
            };
        }
        let mut kind = match self.is_wide(at, pc) {
            true => Kind::any(),
            false => Kind::seen(types),
        };
        for s in &seen {
            match s {
                SeenAttr::Slot { .. } | SeenAttr::Field { .. } => {}
                SeenAttr::ClassValue { value, .. }
                    if !matches!(value, Value::Function(_) | Value::Native(_))
                        && Kind::of(value).is_some() =>
                {
                    if !kind.covers(&Kind::of_mask(1 << tag_byte(value))) {
                        kind = Kind::any();
                    }
                }
                _ => return other(),
            }
        }
        self.note_attr(at, id, pc, seen, &kind);
        Ok(Found::Value(kind))
    }

    /// The functions that `super().name` is at a call of `super` and the access after it, if that is what stands there and no
    /// more than these were met.
    pub(crate) fn super_methods(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        state: &State,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        let code = unit.code.clone();
        let instrs = &code.code.instrs;
        let (Some(call), Some(access)) = (instrs.get(pc as usize), instrs.get(pc as usize + 1))
        else {
            return Ok(None);
        };
        let next = pc + 1;
        let base = state.stack.len().checked_sub(call.arg as usize + 2);
        let operands = base.and_then(|base| state.stack.get(base..));
        let is_super = |k: &usize| self.known.get(*k).is_some_and(is_super);
        // A captured first argument lives in its cell.
        let of_first = code.code.argcount > 0
            && !matches!(code.code.varnames.first(), Some(n) if code.code.cellvars.contains(n))
            && state.locals.first() == Some(&Kind::Object(tag::INSTANCE));
        let calls_super = match operands {
            Some([Kind::Known(k), Kind::Null]) => is_super(k) && of_first,
            Some(
                [
                    Kind::Known(k),
                    Kind::Null,
                    Kind::Known(class),
                    Kind::Object(tag::INSTANCE),
                ],
            ) => is_super(k) && matches!(self.known.get(*class), Some(Value::Class(_))),
            _ => false,
        };
        // The cell of the class is looked into at run time.
        let has_class = at == 0 || !unit.takes_cells;
        let calls_super = calls_super
            && has_class
            && access.op == Opcode::LoadMethod
            && unit.is_inside(next)
            && !unit.is_leader(next);
        if !calls_super || self.is_wide(at, pc) {
            return Ok(None);
        }
        let seen = self.learned.note_attr(&code, next);
        let mut methods = Vec::new();
        for one in &seen {
            let SeenAttr::Super { value, .. } = one else {
                return Ok(None);
            };
            if let Value::Function(function) = value {
                self.rely_on(function);
            }
            methods.push(self.know(value.clone()));
        }
        if methods.is_empty() {
            return Ok(None);
        }
        self.note_attr(at, id, pc, seen, &Kind::Keep);
        Ok(Some(methods))
    }

    /// Whether what a method call at an instruction calls was a method of the object, and nothing else.
    pub(crate) fn expects_method(&self, at: usize, pc: u32) -> bool {
        let Some(unit) = self.units.get(at).filter(|_| !self.is_wide(at, pc)) else {
            return false;
        };
        let seen = janus_interp::seen_attrs(&unit.code, pc);
        let is_bound = |s: &SeenAttr| match s {
            SeenAttr::ClassValue { value, .. } => is_method(value),
            SeenAttr::MethodOfClass { .. } | SeenAttr::Builtin(_) => true,
            _ => false,
        };
        !seen.is_empty() && seen.iter().all(is_bound)
    }

    /// Checks that storing an attribute is what compiled code can do.
    pub(crate) fn stored_attribute(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        name: &Name,
    ) -> Result<(), Stop> {
        let Some(code) = self.units.get(at).map(|u| u.code.clone()) else {
            return Err(Stop::Pending);
        };
        let seen = self.learned.note_attr(&code, pc);
        let stores = |s: &SeenAttr| matches!(s, SeenAttr::Slot { .. } | SeenAttr::Append { .. });
        let many = seen.len() >= MAX_SEEN && self.is_wide(at, pc);
        if seen.is_empty() || many || !seen.iter().all(stores) {
            let reason = format!("storing the attribute '{name}'");
            let ran = code.profile.entries.get() > 0 && !seen.is_empty();
            return Err(match ran {
                true => Stop::Unsupported(reason),
                false => Stop::Raises(reason),
            });
        }
        self.note_attr(at, id, pc, seen, &Kind::Keep);
        Ok(())
    }
}

/// The class of a value of a built-in type.
pub(crate) fn class_of_kind(object: &Kind) -> Option<PyRef<Class>> {
    let t = janus_object::types();
    Some(match object {
        Kind::List(_) => t.list.clone(),
        Kind::Object(tag::DICT) => t.dict.clone(),
        Kind::Object(tag::TUPLE) => t.tuple.clone(),
        Kind::Object(tag::STR) => class_of(&Value::str("")),
        _ => return None,
    })
}

/// Whether a function is what a built-in type has under a name.
fn is_method_of(object: &Kind, name: &Name, value: &Value) -> bool {
    class_of_kind(object)
        .and_then(|class| class.lookup(name))
        .is_some_and(|method| janus_object::ops::is(&method, value))
}

impl Emitter<'_, '_> {
    /// The version of an instance's class.
    pub(crate) fn class_version(&mut self, object: Ir) -> Ir {
        let class = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), object, self.layout.class);
        self.b
            .ins()
            .load(I32, MemFlags::trusted(), class, self.layout.version)
    }

    /// Goes to `no` unless an instance's dict has a layout; the dict, or 0.
    fn check_layout(&mut self, object: Ir, layout: u32, no: Block) -> Ir {
        let dict = self.dict_of(object);
        let (some, fine) = (self.b.create_block(), self.b.create_block());
        let none = match layout == PyDict::EMPTY_LAYOUT {
            true => fine,
            false => no,
        };
        self.b.ins().brif(dict, some, &[], none, &[]);
        self.b.switch_to_block(some);
        self.check_layout_of(dict, layout, no);
        self.b.ins().jump(fine, &[]);
        self.b.switch_to_block(fine);
        dict
    }

    /// An instance's dict, or 0.
    fn dict_of(&mut self, object: Ir) -> Ir {
        let (flags, dict) = (MemFlags::trusted(), self.layout.dict);
        self.b.ins().load(I64, flags, object, dict)
    }

    /// Goes to `no` unless a dict has a layout.
    fn check_layout_of(&mut self, dict: Ir, layout: u32, no: Block) {
        let (flags, at) = (MemFlags::trusted(), self.layout.layout);
        let actual = self.b.ins().load(I32, flags, dict, at);
        let wanted = i64::from(layout);
        let same = self.b.ins().icmp_imm_u(IntCC::Equal, actual, wanted);
        let fine = self.b.create_block();
        self.b.ins().brif(same, fine, &[], no, &[]);
        self.b.switch_to_block(fine);
    }

    /// Goes to `no` unless an instance's class has a version.
    pub(crate) fn check_version(&mut self, actual: Ir, version: u32, no: Block) {
        let same = self
            .b
            .ins()
            .icmp_imm_u(IntCC::Equal, actual, i64::from(version));
        let fine = self.b.create_block();
        self.b.ins().brif(same, fine, &[], no, &[]);
        self.b.switch_to_block(fine);
    }

    /// The address of the value at a position of a dict that has a layout.
    fn entry(&mut self, dict: Ir, index: u32) -> Ir {
        let (values, index) = match index.checked_sub(PyDict::INLINE) {
            None => {
                let first = i64::from(self.layout.dict_first);
                (self.b.ins().iadd_imm_s(dict, first), index)
            }
            Some(behind) => {
                let rest = self.layout.dict_rest;
                let flags = MemFlags::trusted();
                (self.b.ins().load(I64, flags, dict, rest), behind)
            }
        };
        self.b.ins().iadd_imm_s(values, i64::from(index) * VALUE)
    }

    /// The address of an item of an instance that is a tuple; goes to `no` if there are not so many.
    fn field(&mut self, object: Ir, index: u32, no: Block) -> Ir {
        let layout = self.layout;
        let mut load = |from, at| self.b.ins().load(I64, MemFlags::trusted(), from, at);
        let tuple = load(object, layout.instance_tuple);
        let (items, count) = (
            load(tuple, layout.tuple_items),
            load(tuple, layout.tuple_len),
        );
        let above = IntCC::UnsignedGreaterThan;
        let is_there = self.b.ins().icmp_imm_u(above, count, i64::from(index));
        let fine = self.b.create_block();
        self.b.ins().brif(is_there, fine, &[], no, &[]);
        self.b.switch_to_block(fine);
        self.b.ins().iadd_imm_s(items, i64::from(index) * VALUE)
    }

    /// For each of what a site saw, in turn: the block to go on in if it is not that.
    fn each_seen(
        &mut self,
        seen: &[SeenAttr],
        mut then: impl FnMut(&mut Self, &SeenAttr, Block) -> Done,
    ) -> Done {
        for (n, one) in seen.iter().enumerate() {
            let no = match n + 1 == seen.len() {
                true => self.way_out(Why::new("an object as before", "another one")),
                false => self.b.create_block(),
            };
            then(self, one, no)?;
            if n + 1 < seen.len() {
                self.b.switch_to_block(no);
            }
        }
        Ok(())
    }

    /// Loads an attribute of the object on top of the stack; its kind is `kind`.
    pub(crate) fn load_attribute(&mut self, seen: &[SeenAttr]) -> Done<V> {
        let object = self.top(1)?;
        if let (
            Kind::Known(k),
            [
                SeenAttr::OfClass {
                    version,
                    value,
                    shown,
                },
            ],
        ) = (&object.kind, seen)
        {
            self.expect_known_version(*k, *version)?;
            if !matches!(value, Value::Instance(_)) {
                return self.constant(value);
            }
            let v = self.immortal(value);
            let no = self.way_out(Why::new("an object as before", "another one"));
            self.check_shown(&v, *shown, no)?;
            return Ok(v);
        }
        let address = leaf(self, &object)?;
        let kind = self.attribute_kind()?;
        let version_now = self.class_version(address);
        let done = self.b.create_block();
        for ty in kind.types() {
            self.b.append_block_param(done, ty);
        }
        self.each_seen(seen, |e, one, no| {
            let v = match one {
                SeenAttr::Slot {
                    version,
                    layout,
                    index,
                } => {
                    e.check_version(version_now, *version, no);
                    let dict = e.check_layout(address, *layout, no);
                    let at = e.entry(dict, *index);
                    list::read(e, &kind, at)?
                }
                SeenAttr::Field { version, at } => {
                    e.check_version(version_now, *version, no);
                    let at = e.field(address, *at, no);
                    list::read(e, &kind, at)?
                }
                SeenAttr::Static {
                    version,
                    layout,
                    value,
                } => {
                    e.check_version(version_now, *version, no);
                    e.check_layout(address, *layout, no);
                    e.constant(value)?
                }
                SeenAttr::ClassValue {
                    version,
                    layout,
                    value,
                    shown,
                } => {
                    e.check_version(version_now, *version, no);
                    e.check_layout(address, *layout, no);
                    // The region keeps what it saw alive.
                    let v = match value.count() {
                        Some(_) => e.immortal(value),
                        None => e.constant(value)?,
                    };
                    if matches!(value, Value::Instance(_)) {
                        e.check_shown(&v, *shown, no)?;
                    }
                    let v = e.owned(v);
                    e.coerce(v, &kind)?
                }
                _ => return Err(e.broken("attribute")),
            };
            let leaves: Vec<_> = v.leaves.into_iter().map(Into::into).collect();
            e.b.ins().jump(done, &leaves);
            Ok(())
        })?;
        self.b.switch_to_block(done);
        let leaves = self.b.block_params(done).to_vec();
        Ok(V::new(kind, leaves))
    }

    fn attribute_kind(&self) -> Done<Kind> {
        let unit = self.unit()?;
        let block = unit.blocks.get(self.block);
        block
            .and_then(|b| b.attr_kinds.get(&self.pc).cloned())
            .ok_or_else(|| self.broken("attribute"))
    }

    /// Goes elsewhere unless the class of an instance, which is an attribute of another class, has a version.
    fn check_shown(&mut self, v: &V, shown: u32, no: Block) -> Done {
        let address = leaf(self, v)?;
        let now = self.class_version(address);
        self.check_version(now, shown, no);
        Ok(())
    }

    /// Leaves unless a known class has a version.
    fn expect_known_version(&mut self, known: usize, version: u32) -> Done {
        let Some(class @ Value::Class(_)) = self.program.known.get(known) else {
            return Err(self.broken("class"));
        };
        let class = class.clone();
        self.expect_version(&class, version);
        Ok(())
    }

    /// Leaves unless a class has a version.
    pub(crate) fn expect_version(&mut self, class: &Value, version: u32) {
        let head = self.int(payload(class) as i64);
        let actual = self
            .b
            .ins()
            .load(I32, MemFlags::trusted(), head, self.layout.version);
        let other = self
            .b
            .ins()
            .icmp_imm_u(IntCC::NotEqual, actual, i64::from(version));
        self.deopt_if(other, Why::new("a class as before", "a changed one"));
    }

    /// Goes on with each method that a site saw, in a block of its own.
    pub(crate) fn load_methods(&mut self, seen: &[SeenAttr], pc: u32) -> Done {
        let object = self.top(1)?;
        if let (Kind::Known(class), [SeenAttr::MethodOfClass { version, value }]) =
            (&object.kind, seen)
        {
            self.expect_known_version(*class, *version)?;
            return self.push_method(value);
        }
        let address = leaf(self, &object)?;
        let version_now = self.class_version(address);
        let before = (self.locals.clone(), self.stack.clone());
        self.each_seen(seen, |e, one, no| {
            let SeenAttr::ClassValue {
                version,
                layout,
                value,
                ..
            } = one
            else {
                return Err(e.broken("method"));
            };
            e.check_version(version_now, *version, no);
            e.check_layout(address, *layout, no);
            e.push_method(value)?;
            if seen.len() > 1 {
                e.goto(pc + 1)?;
                (e.locals, e.stack) = before.clone();
            }
            Ok(())
        })
    }

    /// Goes on behind `super().name` with each function that was met, in a block of its own.
    pub(crate) fn load_super(&mut self, arguments: usize, seen: &[SeenAttr]) -> Done {
        let (object, behind) = match arguments {
            0 => {
                let Some(object) = self.locals.first().cloned() else {
                    return Err(self.broken("super"));
                };
                let object = V {
                    own: Own::Local(0),
                    ..object
                };
                (object, self.own_class_version()?)
            }
            _ => {
                let (class, object) = (self.top(2)?, self.top(1)?);
                let Kind::Known(class) = class.kind else {
                    return Err(self.broken("super"));
                };
                let Some(class) = self.program.known.get(class) else {
                    return Err(self.broken("super"));
                };
                let head = self.int(payload(class) as i64);
                let version = self.layout.version;
                let version = self.b.ins().load(I32, MemFlags::trusted(), head, version);
                (object, version)
            }
        };
        let address = leaf(self, &object)?;
        let version_now = self.class_version(address);
        // What leaves does so with `super` on the stack.
        self.way_out(Why::new("an object as before", "another one"));
        // The object is the receiver.
        for _ in 0..arguments + 2 {
            self.take()?;
        }
        let before = (self.locals.clone(), self.stack.clone());
        self.each_seen(seen, |e, one, no| {
            let SeenAttr::Super {
                version,
                start,
                value,
            } = one
            else {
                return Err(e.broken("super"));
            };
            e.check_version(behind, *start, no);
            e.check_version(version_now, *version, no);
            e.stack.push(object.clone());
            e.push_method(value)?;
            e.goto(e.pc + 2)?;
            (e.locals, e.stack) = before.clone();
            Ok(())
        })
    }

    /// The version of the class whose method the unit is.
    fn own_class_version(&mut self) -> Done<Ir> {
        let unit = self.unit()?;
        let code = &unit.code.code;
        let class = code.freevars.iter().position(|n| &**n == "__class__");
        let Some(class) = class else {
            return Err(self.broken("super"));
        };
        let cell = self.int((code.cellvars.len() + class) as i64);
        let index = self.int(self.at as i64);
        let call = self.call_helper(Helper::CellVersion, &[self.ctx, index, cell]);
        match self.b.inst_results(call) {
            &[version] => Ok(version),
            _ => Err(self.broken("call")),
        }
    }

    /// Puts a known method under the object on top of the stack.
    pub(crate) fn push_method(&mut self, method: &Value) -> Done {
        let all = &self.program.known;
        let Some(k) = all.iter().position(|k| janus_object::ops::is(k, method)) else {
            return Err(self.broken("method"));
        };
        let at = self.stack.len().saturating_sub(1);
        self.stack.insert(at, V::bare(Kind::Known(k)));
        Ok(())
    }

    /// Appends a value to the dict of an instance where it will lie in the dict itself, and goes to `done`; goes to `no`
    /// if the layout is not the one before. What follows is for what is left: values that lie elsewhere, and a dict that is to
    /// be made.
    fn append_inline(
        &mut self,
        object: Ir,
        value: &V,
        (before, after): (u32, u32),
        (no, done): (Block, Block),
    ) -> Done {
        let index = PyDict::names_in(before);
        let Some(index) = index.filter(|index| *index < PyDict::INLINE) else {
            return Ok(());
        };
        let dict = self.dict_of(object);
        let (is_made, is_not) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(dict, is_made, &[], is_not, &[]);
        self.b.switch_to_block(is_made);
        self.check_layout_of(dict, before, no);
        let place = self.entry(dict, index);
        let value = self.owned(value.clone());
        list::write(self, &value, place)?;
        let [after, count] = [after, index + 1].map(i64::from);
        let [after, count] = [after, count].map(|n| self.b.ins().iconst(I32, n));
        let layout = self.layout;
        let parts = [
            (layout.dict_shape, after),
            (layout.dict_count, count),
            (layout.layout, after),
        ];
        for (at, part) in parts {
            self.b.ins().store(MemFlags::trusted(), part, dict, at);
        }
        let none = self.int(i64::from(tag::NONE));
        self.b.ins().jump(done, &[none.into(), none.into()]);
        self.b.switch_to_block(is_not);
        Ok(())
    }

    /// Stores the value below the object on top of the stack.
    pub(crate) fn store_attribute(&mut self, seen: &[SeenAttr], name: &Name) -> Done {
        self.box_at(2)?;
        let (value, object) = (self.top(2)?, self.top(1)?);
        let address = leaf(self, &object)?;
        let version_now = self.class_version(address);
        let done = self.b.create_block();
        self.b.append_block_param(done, I64);
        self.b.append_block_param(done, I64);
        self.each_seen(seen, |e, one, no| {
            match one {
                SeenAttr::Slot {
                    version,
                    layout,
                    index,
                } => {
                    e.check_version(version_now, *version, no);
                    let dict = e.check_layout(address, *layout, no);
                    let at = e.entry(dict, *index);
                    let old = list::take(e, at)?;
                    let value = e.owned(value.clone());
                    list::write(e, &value, at)?;
                    let leaves: Vec<_> = old.leaves.into_iter().map(Into::into).collect();
                    e.b.ins().jump(done, &leaves);
                }
                SeenAttr::Append {
                    version,
                    before,
                    after,
                } => {
                    e.check_version(version_now, *version, no);
                    let layouts = (*before, *after);
                    e.append_inline(address, &value, layouts, (no, done))?;
                    let (tag, bits) = (e.tag_of(&value), e.bits(&value));
                    let name = e.int(std::ptr::from_ref(name) as i64);
                    let before = e.int(i64::from(*before));
                    let after = e.int(i64::from(*after));
                    let owns = e.int(i64::from(value.own != Own::Self_));
                    let call = e.call_helper(
                        Helper::AttrAppend,
                        &[address, before, after, name, tag, bits, owns],
                    );
                    let &[status] = e.b.inst_results(call) else {
                        return Err(e.broken("call"));
                    };
                    let fine = e.b.create_block();
                    e.b.ins().brif(status, no, &[], fine, &[]);
                    e.b.switch_to_block(fine);
                    let none = e.int(i64::from(tag::NONE));
                    e.b.ins().jump(done, &[none.into(), none.into()]);
                }
                _ => return Err(e.broken("attribute")),
            }
            Ok(())
        })?;
        self.b.switch_to_block(done);
        let old = V::new(Kind::any(), self.b.block_params(done).to_vec());
        self.pop(1);
        self.take()?;
        self.dropped.push(old);
        Ok(())
    }
}
