//! Objects that the graph comes to by itself: a recursion's trees, say.
//!
//! In: an object of which the graph has the address. Out: what it holds. Always: a field is read
//! where the graph runs; that it is of a kind that the objects there now show is asserted, and
//! where they show several kinds, it is one thing or another. An address is used only where its
//! kind was found, so what failed is never read as something else.

use std::collections::BTreeSet;
use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_dialect::{Attr, Type, ValueId};
use janus_object::fields::{self, Field};
use janus_object::{Class, ExcKind, IterState, Name, PyRef, TypeTag, Value};
use janus_plan::{DeoptReason, Load, NodeId, ReasonId, RegionKind, ScalarType, Step};

use crate::Res;
use crate::executor::Executor;
use crate::objects::attributes::{is_data_descriptor, moving_data};
use crate::recursion::graph_tensors::HeldForm;
use crate::state::sym::{
    FieldRead, Found, FoundKind, Kind, Obj, Sym, SymFrame, SymIter, SymScalar,
};

/// Objects looked at, to see what a kind of object holds.
const MAX_SAMPLES: usize = 4_000;
/// Objects beside one in a list that are looked at.
const MAX_SIBLINGS: usize = 200;
/// Items of a list or tuple that a recursion comes to, up to which its loops are unrolled.
const MAX_ITEMS: usize = 16;
/// What is assumed where they are.
const ONE_LENGTH: &str = "length in a recursion";

/// A kind of value that a field may hold.
#[derive(Clone)]
enum Seen {
    None,
    Bool,
    Int,
    Float,
    Object(FoundKind),
    Tensor(HeldForm),
}

impl Seen {
    const OF_TAGS: [(TypeTag, Seen); 4] = [
        (TypeTag::None, Seen::None),
        (TypeTag::Bool, Seen::Bool),
        (TypeTag::Int, Seen::Int),
        (TypeTag::Float, Seen::Float),
    ];

    fn of(value: &Value) -> Option<Seen> {
        Some(match value {
            Value::None => Seen::None,
            Value::Bool(_) => Seen::Bool,
            Value::Int(_) => Seen::Int,
            Value::Float(_) => Seen::Float,
            _ => match HeldForm::of(value) {
                Some(form) => Seen::Tensor(form),
                None => Seen::Object(FoundKind::of(value)?),
            },
        })
    }

    fn is_same(&self, other: &Seen) -> bool {
        match (self, other) {
            (Seen::Object(a), Seen::Object(b)) => a.is_same(b),
            (Seen::Tensor(a), Seen::Tensor(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    fn name(&self) -> String {
        match self {
            Seen::None => "None".to_owned(),
            Seen::Bool => "a bool".to_owned(),
            Seen::Int => "an int".to_owned(),
            Seen::Float => "a float".to_owned(),
            Seen::Object(FoundKind::List) => "a list".to_owned(),
            Seen::Object(FoundKind::Tuple) => "a tuple".to_owned(),
            Seen::Object(FoundKind::Dict) => "a dict".to_owned(),
            Seen::Object(FoundKind::Text) => "a str".to_owned(),
            Seen::Object(FoundKind::Instance(class)) => format!("a {}", class.display_name()),
            Seen::Tensor(form) => format!("a tensor {}{:?}", form.dtype.name(), form.extents),
        }
    }
}

impl Found {
    fn item_field(&self) -> Field {
        match self.what {
            FoundKind::List => Field::ListItem,
            _ => Field::TupleItem,
        }
    }
}

impl FoundKind {
    /// What a value is, if a graph can come to it.
    pub(crate) fn of(value: &Value) -> Option<FoundKind> {
        match value {
            Value::List(_) => Some(FoundKind::List),
            Value::Tuple(_) => Some(FoundKind::Tuple),
            Value::Dict(_) => Some(FoundKind::Dict),
            Value::Str(_) => Some(FoundKind::Text),
            Value::Instance(i)
                if matches!(i.payload, janus_object::Payload::None) && !i.shares_dict() =>
            {
                Some(FoundKind::Instance(i.class()))
            }
            _ => None,
        }
    }

    pub(crate) fn is_same(&self, other: &FoundKind) -> bool {
        match (self, other) {
            (FoundKind::Instance(a), FoundKind::Instance(b)) => PyRef::ptr_eq(a, b),
            (FoundKind::Instance(_), _) | (_, FoundKind::Instance(_)) => false,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

/// What an object holds that a graph could come to.
pub(crate) fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Dict(dict) => dict.values(),
        Value::List(list) => list.items.try_borrow().map_or(Vec::new(), |l| l.clone()),
        Value::Tuple(tuple) => tuple.items.to_vec(),
        Value::Instance(instance) => {
            let dict = instance.dict.get();
            dict.map_or(Vec::new(), |d| {
                d.items().into_iter().map(|(_, v)| v).collect()
            })
        }
        _ => Vec::new(),
    }
}

/// The objects of one kind that can be reached from these, themselves included.
pub(crate) fn reachable(roots: &[Value], what: &FoundKind) -> Rc<[Value]> {
    let mut met = std::collections::HashSet::new();
    let mut queue: std::collections::VecDeque<Value> = roots.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(value) = queue.pop_front() {
        let Some(kind) = FoundKind::of(&value) else {
            continue;
        };
        if met.len() >= MAX_SAMPLES || !met.insert(fields::address(&value)) {
            continue;
        }
        queue.extend(parts(&value));
        if kind.is_same(what) {
            found.push(value);
        }
    }
    found.into()
}

/// Whether a field may hold such a value.
pub(crate) fn is_seen(value: &Value) -> bool {
    Seen::of(value).is_some()
}

/// The same, without reading a tensor where it comes to it.
fn is_seen_as_is(value: &Value) -> bool {
    Seen::of(value).is_some_and(|seen| !matches!(seen, Seen::Tensor(_)))
}

/// Whether a graph can come to all that a dict holds.
fn has_data(dict: &Value) -> bool {
    let parts = parts(dict);
    // One of nothing but tensors is parameters rather than a node.
    parts.iter().all(is_seen) && (parts.is_empty() || parts.iter().any(is_seen_as_is))
}

impl Executor<'_> {
    pub(crate) fn found(&self, v: &Sym) -> Option<&Found> {
        match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Found(found) => Some(found),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn is_found(&self, v: &Sym) -> bool {
        self.found(v).is_some()
    }

    /// Whether a value is such an object with a length of its own.
    pub(crate) fn is_found_with_length(&self, v: &Sym) -> bool {
        let found = self.found(v);
        found.is_some_and(|f| !matches!(f.what, FoundKind::Instance(_)))
    }

    pub(crate) fn is_found_sequence(&self, v: &Sym) -> bool {
        let found = self.found(v);
        found.is_some_and(|f| matches!(f.what, FoundKind::List | FoundKind::Tuple))
    }

    /// What an object is that a recursion may go over: an object that was there at entry, of a class
    /// without parameters, or one that the graph came to; with those of its kind that are there now.
    pub(crate) fn data_object(&self, v: &Sym) -> Option<(FoundKind, Vec<Value>)> {
        let Sym::Obj(o) = v else { return None };
        let object = &self.state.heap[*o];
        if let Kind::Found(found) = &object.kind {
            return Some((found.what.clone(), found.samples.to_vec()));
        }
        let origin = object.origin.as_ref()?;
        let is_data = match &object.kind {
            Kind::Instance(i) => i.payload.is_none() && !self.has_parameters(v),
            Kind::Tuple(_) | Kind::List(_) => true,
            Kind::Dict(_) | Kind::Open(_) => has_data(&origin.value),
            _ => false,
        };
        let what = FoundKind::of(&origin.value).filter(|_| is_data)?;
        let mut roots = vec![origin.value.clone()];
        let alike = |v: &Value| FoundKind::of(v).is_some_and(|kind| kind.is_same(&what));
        roots.extend(self.siblings(origin.node).into_iter().filter(alike));
        Some((what, roots))
    }

    /// What is beside an object in a list or tuple, at its place in tuples beside its own, or in the list that the
    /// region's loop goes over: they tell more of what objects hold than one does.
    fn siblings(&self, node: NodeId) -> Vec<Value> {
        let step = self.entry.nodes.get(node.0 as usize).map(|n| &n.step);
        let mut beside = match step {
            Some(
                Step::Item(parent, _) | Step::ItemFromEnd(parent, _) | Step::ItemAt(parent, _),
            ) => {
                let mut origins = self.state.heap.iter().filter_map(|o| o.origin.as_ref());
                let list = origins.find(|o| o.node == *parent);
                list.map_or(Vec::new(), |o| parts(&o.value))
            }
            Some(Step::Stack(_)) if matches!(self.region.kind, RegionKind::Loop { .. }) => {
                self.gone_over()
            }
            _ => Vec::new(),
        };
        if let Some(Step::Item(parent, place)) = step {
            let others = self.siblings(*parent).into_iter();
            beside.extend(others.filter_map(|v| parts(&v).get(*place).cloned()));
        }
        beside.truncate(MAX_SIBLINGS);
        beside
    }

    /// The items of the list or tuple that the region's loop goes over.
    fn gone_over(&self) -> Vec<Value> {
        let Some(Some(Value::Iter(iterator))) = self.region.below.last() else {
            return Vec::new();
        };
        match iterator.state.try_borrow().as_deref() {
            Ok(IterState::List { list, .. }) => parts(&Value::List(list.clone())),
            Ok(IterState::Tuple { tuple, .. }) => tuple.items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether a recursion over such values takes the way that objects decide on: those that a graph
    /// could come to, and those with a part of a built-in type (named tuples).
    pub(crate) fn is_data(&self, v: &Sym) -> bool {
        let has_payload = |o: &Obj| {
            let object = &self.state.heap[*o];
            let payload = matches!(&object.kind, Kind::Instance(i) if i.payload.is_some());
            payload && object.origin.is_some() && !self.has_parameters(v)
        };
        self.may_be_data(v) || matches!(v, Sym::Obj(o) if has_payload(o))
    }

    fn has_parameters(&self, v: &Sym) -> bool {
        let class = self.class_of(v).ok();
        class.is_some_and(|c| c.lookup(&Name::new("parameters")).is_some())
    }

    /// Whether a value is such an object, or may be one.
    pub(crate) fn may_be_data(&self, v: &Sym) -> bool {
        if let Sym::Obj(o) = v
            && let Kind::Choice {
                then, otherwise, ..
            } = &self.state.heap[*o].kind
        {
            return self.may_be_data(then) || self.may_be_data(otherwise);
        }
        self.data_object(v).is_some()
    }

    /// The address of such an object, in the graph.
    pub(crate) fn object_address(&mut self, obj: Obj) -> Res<ValueId> {
        let object = &self.state.heap[obj];
        if let Kind::Found(found) = &object.kind {
            return Ok(found.address);
        }
        let Some(node) = object.origin.as_ref().map(|o| o.node) else {
            return self.refuse(
                ReasonId::Recursion,
                "an object made here is handed to a recursion",
            );
        };
        if let Some(&known) = self.recursing.addresses.get(&node) {
            return Ok(known);
        }
        let slot = self.entry.loads.len();
        self.entry.loads.push(Load::Address(node));
        let address = self.emit_load(node, Type::I64, slot)?;
        self.recursing.addresses.insert(node, address);
        Ok(address)
    }

    /// An int that the region gets at entry and that is no value of Python's.
    pub(crate) fn load_word(&mut self, load: Load, name: &str) -> Res<ValueId> {
        let slot = i64::try_from(self.entry.loads.len()).unwrap_or(0);
        self.entry.loads.push(load);
        let attrs = [
            ("name", Attr::Str(name.to_owned())),
            ("slot", Attr::I64(slot)),
        ];
        self.at_entry(|this| this.emit1("janus.get_global", &[], &attrs, Type::I64))
    }

    // ---- fields --------------------------------------------------------------------------

    /// The address of the table of fields, in the graph.
    pub(crate) fn field_table(&mut self) -> Res<ValueId> {
        if let Some(table) = self.recursing.field_table {
            return Ok(table);
        }
        let table = self.load_word(Load::Fields, "fields")?;
        self.recursing.field_table = Some(table);
        Ok(table)
    }

    /// Emits the read of a field: its kind and its word.
    pub(crate) fn read_field(
        &mut self,
        address: ValueId,
        field: Field,
        index: Option<ValueId>,
    ) -> Res<(ValueId, ValueId)> {
        let table = self.field_table()?;
        let name = field.to_string();
        let known = self
            .recursing
            .fields
            .fields
            .iter()
            .position(|f| *f == field);
        let place = known.unwrap_or_else(|| {
            self.recursing.fields.fields.push(field);
            self.recursing.fields.fields.len() - 1
        });
        let attrs = [
            ("field", Attr::I64(i64::try_from(place).unwrap_or(0))),
            ("name", Attr::Str(name)),
        ];
        let types = [Type::I64, Type::I64];
        let operands: Vec<ValueId> = [address, table].into_iter().chain(index).collect();
        let read = self.emit("janus.field", &operands, &attrs, &types)?;
        match read[..] {
            [kind, word] => Ok((kind, word)),
            _ => self.defect("janus.field has two results"),
        }
    }

    pub(crate) fn is_kind(&mut self, kind: ValueId, code: i64) -> Res<ValueId> {
        let code = self.int(code)?;
        self.cmpi(CompareOp::Eq, kind, code)
    }

    /// The number by which the table tells a kind.
    fn code(&mut self, seen: &Seen) -> i64 {
        match seen {
            Seen::None => fields::NONE,
            Seen::Bool => fields::BOOL,
            Seen::Int => fields::INT,
            Seen::Float => fields::FLOAT,
            Seen::Object(FoundKind::List) => fields::LIST,
            Seen::Object(FoundKind::Tuple) => fields::TUPLE,
            Seen::Object(FoundKind::Dict) => fields::DICT,
            Seen::Object(FoundKind::Text) => fields::TEXT,
            Seen::Tensor(_) => self.class_code(&self.tensor_class()),
            Seen::Object(FoundKind::Instance(class)) => self.class_code(class),
        }
    }

    fn class_code(&mut self, class: &PyRef<Class>) -> i64 {
        let classes = &mut self.recursing.fields.classes;
        let known = classes.iter().position(|c| PyRef::ptr_eq(c, class));
        let index = known.unwrap_or_else(|| {
            classes.push(class.clone());
            classes.len() - 1
        });
        fields::FIRST_CLASS + i64::try_from(index).unwrap_or(0)
    }

    /// The value of a field of this kind, and whether it is of this kind, which it is only where `is` holds.
    fn value_of(
        &mut self,
        seen: &Seen,
        is: ValueId,
        word: ValueId,
        samples: Vec<Value>,
    ) -> Res<(ValueId, Sym)> {
        let scalar = |id, ty| Sym::Scalar(SymScalar { id, ty });
        let value = match seen {
            Seen::None => Sym::Known(Value::None),
            Seen::Bool => {
                let zero = self.int(0)?;
                scalar(self.cmpi(CompareOp::Ne, word, zero)?, ScalarType::Bool)
            }
            Seen::Int => scalar(word, ScalarType::Int),
            Seen::Float => {
                let bits = self.emit1("arith.bitcast", &[word], &[], Type::F64)?;
                scalar(bits, ScalarType::Float)
            }
            Seen::Object(what) => {
                let address = self.address_where(is, word)?;
                let found = Found {
                    address,
                    what: what.clone(),
                    samples: samples.into(),
                };
                self.alloc(Kind::Found(found))
            }
            Seen::Tensor(form) => {
                let address = self.address_where(is, word)?;
                return self.tensor_at(address, form);
            }
        };
        Ok((is, value))
    }

    /// An address where this holds, elsewhere 0.
    fn address_where(&mut self, is: ValueId, word: ValueId) -> Res<ValueId> {
        let zero = self.int(0)?;
        self.emit1("arith.select", &[is, word, zero], &[], Type::I64)
    }

    /// The kinds that the instruction being executed has loaded so far, as bits; 0: unknown.
    fn kinds_here(&self) -> u32 {
        let Some(top) = self.calls.active.last() else {
            return 0;
        };
        let instr = top.code.code.instrs.get(top.pc as usize);
        if !instr.is_some_and(|i| i.op == Opcode::LoadAttr) {
            return 0;
        }
        let site = top.code.profile.site(top.pc);
        site.map_or(0, |site| site.types.get())
    }

    /// Reads a field, or the item at an index, that holds these values in the objects that are there now.
    pub(crate) fn read_as(
        &mut self,
        found: &Found,
        place: (Field, Option<ValueId>),
        values: Vec<Value>,
        name: &str,
    ) -> Res<Sym> {
        self.read_or(found, place, values, name, None)
    }

    /// The same; `missing` is what it is where there is no such field.
    pub(crate) fn read_or(
        &mut self,
        found: &Found,
        (field, index): (Field, Option<ValueId>),
        values: Vec<Value>,
        name: &str,
        missing: Option<Sym>,
    ) -> Res<Sym> {
        let tags = self.kinds_here();
        let is_here = |v: &Value| tags == 0 || TypeTag::of(v) as u32 & tags != 0;
        let mut kinds: Vec<(Seen, Vec<Value>)> = Vec::new();
        // What was loaded here before may not be among the objects that are there now.
        for (tag, seen) in Seen::OF_TAGS {
            if tags & tag as u32 != 0 {
                kinds.push((seen, Vec::new()));
            }
        }
        for value in values.into_iter().filter(is_here) {
            let Some(seen) = Seen::of(&value) else {
                let class = value.type_name();
                return self.refuse(
                    ReasonId::Recursion,
                    format!("{name} of an object in a recursion: a {class}"),
                );
            };
            match kinds.iter_mut().find(|(k, _)| k.is_same(&seen)) {
                Some((_, samples)) => samples.push(value),
                None => kinds.push((seen, vec![value])),
            }
        }
        let tensors = |(seen, _): &&(Seen, _)| matches!(seen, Seen::Tensor(_));
        if kinds.iter().filter(tensors).count() > 1 {
            return self.refuse(
                ReasonId::Recursion,
                format!("{name} of objects in a recursion: tensors of several forms"),
            );
        }
        kinds.sort_by_key(|(seen, _)| !matches!(seen, Seen::None));
        let expected: Vec<String> = kinds.iter().map(|(seen, _)| seen.name()).collect();
        let expected = format!("{name} is {}", expected.join(" or "));
        let once = missing.is_none();
        let known = |r: &&FieldRead| {
            (r.address, &r.field, r.index) == (found.address, &field, index)
                && r.expected == expected
                && self.is_visible(r.kind)
        };
        if once && let Some(read) = self.state.field_reads.iter().find(known) {
            return Ok(read.value.clone());
        }
        let (kind, word) = self.read_field(found.address, field.clone(), index)?;
        let mut any = None;
        let mut things = Vec::with_capacity(kinds.len() + 1);
        if let Some(missing) = missing {
            let is = self.is_kind(kind, fields::NOTHING)?;
            any = Some(is);
            things.push((is, missing));
        }
        for (seen, samples) in kinds {
            let code = self.code(&seen);
            let is = self.is_kind(kind, code)?;
            let (is, value) = self.value_of(&seen, is, word, samples)?;
            any = Some(match any {
                Some(before) => self.emit1("arith.ori", &[before, is], &[], Type::I1)?,
                None => is,
            });
            things.push((is, value));
        }
        let (Some(any), Some((_, mut value))) = (any, things.pop()) else {
            return self.refuse(
                ReasonId::Recursion,
                format!("{name} of objects in a recursion that are not there now"),
            );
        };
        let key = self.key(&format!("kind of {name}"));
        self.assert(any, DeoptReason::TypeChanged, key, expected.clone())?;
        while let Some((condition, then)) = things.pop() {
            value = self.one_or_other(condition, then, value)?;
        }
        if once {
            self.state.field_reads.push(FieldRead {
                address: found.address,
                field,
                index,
                expected,
                kind,
                value: value.clone(),
            });
        }
        Ok(value)
    }

    // ---- attributes ----------------------------------------------------------------------

    /// `object.name`
    pub(crate) fn found_attr(
        &mut self,
        object: &Sym,
        found: &Found,
        name: &Name,
    ) -> Res<Option<Sym>> {
        let class: PyRef<Class> = self.class_of(object)?;
        if let (FoundKind::Dict, "get") = (&found.what, name.as_str()) {
            return match class.lookup(name) {
                Some(get) => self.bind(&get, object, &class).map(Some),
                None => Ok(None),
            };
        }
        if !matches!(found.what, FoundKind::Instance(_)) {
            return self.refuse(
                ReasonId::Recursion,
                format!(
                    "attribute {} of a {} in a recursion",
                    name.as_str(),
                    class.display_name()
                ),
            );
        }
        if class.flags.get().custom_getattribute {
            return self.refuse(
                ReasonId::ObjectLayout,
                "a class with __getattribute__ has no graph form",
            );
        }
        self.guard_class(&class);
        if matches!(name.as_str(), "__class__" | "__dict__") {
            return match name.as_str() {
                "__class__" => Ok(Some(Sym::Known(Value::Class(class)))),
                _ => self.refuse(ReasonId::Recursion, "__dict__ of an object in a recursion"),
            };
        }
        if moving_data(&class, name).is_some() {
            return self.refuse(
                ReasonId::Recursion,
                "data of a class that moves, of an object that a recursion comes to",
            );
        }
        let in_class = class.lookup(name);
        if let Some(descriptor) = &in_class
            && is_data_descriptor(descriptor)
        {
            if class.flags.get().custom_getattr {
                return self.refuse(
                    ReasonId::Recursion,
                    "a getter of a class with __getattr__ in a recursion",
                );
            }
            return self.bind(descriptor, object, &class).map(Some);
        }
        let own = |v: &Value| match v {
            Value::Instance(i) => i.dict.get().and_then(|d| d.get_name(name)),
            _ => None,
        };
        let values: Vec<Value> = found.samples.iter().filter_map(own).collect();
        let field = Field::Attribute(name.clone());
        if values.is_empty() && !found.samples.is_empty() {
            let (kind, _) = self.read_field(found.address, field, None)?;
            let missing = self.is_kind(kind, fields::NOTHING)?;
            let key = self.key(&format!("no {}", name.as_str()));
            let expected = format!("{} is no attribute of the object itself", name.as_str());
            self.assert(missing, DeoptReason::MissingFound, key, expected)?;
            return match in_class {
                Some(found) => self.bind(&found, object, &class).map(Some),
                None if class.flags.get().custom_getattr => self.refuse(
                    ReasonId::Recursion,
                    "a class with __getattr__ in a recursion",
                ),
                None => Ok(None),
            };
        }
        if values.len() < found.samples.len() {
            let name = name.as_str();
            return self.refuse(
                ReasonId::Recursion,
                format!("some objects in a recursion have no {name}"),
            );
        }
        self.read_as(found, (field, None), values, name.as_str())
            .map(Some)
    }

    // ---- lists and tuples ----------------------------------------------------------------

    fn sequence(&self, v: &Sym) -> Res<Found> {
        match self.found(v) {
            Some(found) => Ok(found.clone()),
            None => self.refuse(ReasonId::Recursion, "no object of a recursion"),
        }
    }

    /// `len(list)`
    pub(crate) fn found_length(&mut self, v: &Sym) -> Res<Sym> {
        let found = self.sequence(v)?;
        let field = match found.what {
            FoundKind::List => Field::ListLength,
            FoundKind::Dict => Field::DictLength,
            FoundKind::Text => Field::TextLength,
            FoundKind::Tuple | FoundKind::Instance(_) => Field::TupleLength,
        };
        let (_, id) = self.read_field(found.address, field, None)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Int,
        }))
    }

    fn found_item_at(&mut self, found: &Found, i: usize) -> Res<Sym> {
        let values = |v: &Value| parts(v).get(i).cloned();
        let values: Vec<Value> = found.samples.iter().filter_map(values).collect();
        let index = self.int(i64::try_from(i).unwrap_or(i64::MAX))?;
        let field = (found.item_field(), Some(index));
        self.read_as(found, field, values, &format!("item {i}"))
    }

    /// An index as an int of the graph.
    pub(crate) fn item_place(&mut self, key: &Sym) -> Res<ValueId> {
        match self.number(key)? {
            Some(number) => self.convert_scalar(number, ScalarType::Int),
            None => self.defect("an index that is no number"),
        }
    }

    /// The item at an index that moves, or of a list whose length does. One that is out of range has no
    /// kind, which ends the graph.
    fn found_item_somewhere(&mut self, v: &Sym, found: &Found, key: &Sym) -> Res<Sym> {
        let length = self.found_length(v)?;
        let back = self.binary(BinaryOp::Add, key, &length)?;
        let back = self.item_place(&back)?;
        let zero = Sym::Known(Value::Int(0));
        let at = match self.compare(CompareOp::Lt, key, &zero)? {
            Sym::Scalar(from_end) => {
                let at = self.item_place(key)?;
                self.emit1("arith.select", &[from_end.id, back, at], &[], Type::I64)?
            }
            _ => back,
        };
        let values: Vec<Value> = found.samples.iter().flat_map(parts).collect();
        self.read_as(found, (found.item_field(), Some(at)), values, "an item")
    }

    /// `list[i]`
    pub(crate) fn found_item(&mut self, v: &Sym, key: &Sym) -> Res<Sym> {
        let found = self.sequence(v)?;
        match key {
            Sym::Known(Value::Int(i)) if *i < 0 && self.found_moves(v) => {
                self.found_item_somewhere(v, &found, key)
            }
            Sym::Known(Value::Int(i)) if *i < 0 => {
                let items = self.found_items(v)?;
                let at = usize::try_from(i + i64::try_from(items.len()).unwrap_or(0));
                match at.ok().and_then(|at| items.get(at).cloned()) {
                    Some(item) => Ok(item),
                    None => self.raise_kind(ExcKind::IndexError, Vec::new()),
                }
            }
            Sym::Known(Value::Int(i)) => {
                self.found_item_at(&found, usize::try_from(*i).unwrap_or(usize::MAX))
            }
            Sym::Scalar(_) => self.found_item_somewhere(v, &found, key),
            _ => self.refuse(ReasonId::Recursion, "part of a list in a recursion"),
        }
    }

    /// The lengths of the lists that are there now.
    fn lengths(found: &Found) -> BTreeSet<usize> {
        found.samples.iter().map(|v| parts(v).len()).collect()
    }

    /// The one length that they have. Empty ones are not counted: what takes all items has most often
    /// asked before whether there are any.
    fn one_length(found: &Found) -> Option<usize> {
        let mut lengths = Self::lengths(found);
        if lengths.len() > 1 {
            lengths.remove(&0);
        }
        let only = lengths.first().copied().filter(|_| lengths.len() == 1);
        only.filter(|&n| n <= MAX_ITEMS)
    }

    /// The items, where the lists that are there now have one length.
    pub(crate) fn found_items(&mut self, v: &Sym) -> Res<Vec<Sym>> {
        let found = self.sequence(v)?;
        let Some(n) = Self::one_length(&found) else {
            return self.refuse(
                ReasonId::Recursion,
                "a list of a length that moves, in a recursion",
            );
        };
        let length = self.found_length(v)?;
        let known = Sym::Known(Value::Int(i64::try_from(n).unwrap_or(0)));
        if let Sym::Scalar(is) = self.compare(CompareOp::Eq, &length, &known)? {
            let key = self.key(ONE_LENGTH);
            let expected = format!("a length of {n}");
            let first = self.emission.assertions.len();
            self.assert(is.id, DeoptReason::LengthChanged, key, expected)?;
            self.relaxed_at_first_miss(first);
        }
        (0..n).map(|i| self.found_item_at(&found, i)).collect()
    }

    /// Whether a list or tuple that a recursion comes to is gone over whatever its length.
    pub(crate) fn found_moves(&self, v: &Sym) -> bool {
        let key = self.key(ONE_LENGTH);
        let found = self.found(v).filter(|_| self.is_found_sequence(v));
        let has_one = |f: &Found| Self::lengths(f).len() == 1 && Self::one_length(f).is_some();
        found.is_some_and(|f| !has_one(f) || self.region.relaxations.both_sides.contains(&key))
    }

    /// An iterator over the items.
    pub(crate) fn found_iter(&mut self, v: &Sym) -> Res<Sym> {
        if let (true, &Sym::Obj(of)) = (self.found_moves(v), v) {
            let next = Sym::Known(Value::Int(0));
            return Ok(self.alloc(Kind::Iter(SymIter::Rows { of, next })));
        }
        let items = self.found_items(v)?.into();
        Ok(self.alloc(Kind::Iter(SymIter::Values { items, next: 0 })))
    }

    /// At a loop's head: where it ran as often each time, the items that a recursion comes to are
    /// taken to be so many.
    pub(crate) fn settle_found_iter(&mut self, frame: &SymFrame, head: u32, it: Obj) -> Res<()> {
        let Some(SymIter::Rows { of, next }) = self.iter_state(it) else {
            return Ok(());
        };
        let (of, first) = (Sym::Obj(of), matches!(next, Sym::Known(Value::Int(0))));
        let Some(n) = self.found(&of).and_then(Self::one_length).filter(|_| first) else {
            return Ok(());
        };
        // Calls of itself count in between: the sums are right, what is known of one loop is not.
        let is_so = frame.code.profile.site(head).is_some_and(|site| {
            let (ended, trips) = (site.taken.get(), site.count.get());
            let trips = u64::from(trips) + u64::from(site.running.get());
            let all = u64::try_from(n)
                .unwrap_or(u64::MAX)
                .saturating_mul(ended.into());
            ended > 0 && trips >= all
        });
        if is_so
            && !self
                .region
                .relaxations
                .both_sides
                .contains(&self.key(ONE_LENGTH))
        {
            let items = self.found_items(&of)?.into();
            self.state.heap[it].kind = Kind::Iter(SymIter::Values { items, next: 0 });
        }
        Ok(())
    }

    /// Refuses a region that writes what its graph reads of objects: the graph sees them as they
    /// were at entry.
    pub(crate) fn check_fields(&self) -> Res<()> {
        self.check_kept_fields()?;
        if self.recursing.fields.fields.is_empty() {
            return Ok(());
        }
        let reads = |f: fn(&Field) -> bool| self.recursing.fields.fields.iter().any(f);
        let lists = reads(|f| matches!(f, Field::ListLength | Field::ListItem));
        let dicts = reads(|f| {
            matches!(
                f,
                Field::DictLength | Field::DictEntry(_) | Field::DictUnder
            )
        });
        for object in self.state.heap.iter() {
            let Some(origin) = &object.origin else {
                continue;
            };
            let written = match &object.kind {
                // One that is handed to it, or of a class that it may find.
                Kind::Instance(i) => {
                    let mut classes = self.recursing.fields.classes.iter();
                    !i.written.is_empty()
                        && (self.recursing.addresses.contains_key(&origin.node)
                            || classes.any(|c| PyRef::ptr_eq(c, &i.class)))
                }
                Kind::List(l) => lists && !l.is_unchanged(),
                Kind::Grown(_) | Kind::Replaced(_) => lists,
                Kind::Dict(d) => dicts && !(d.written.is_empty() && d.removed.is_empty()),
                Kind::Open(open) => dicts && !open.is_unchanged(),
                _ => false,
            };
            if written {
                return self.refuse(
                    ReasonId::Recursion,
                    "an object that a recursion may come to is written",
                );
            }
        }
        Ok(())
    }
}
