//! Syntax trees as objects of `ast`'s classes, and back.
//!
//! In: what the front end read, or an object that a script gave to `compile()`. Out: the other. Always: the
//! classes are those of the module `_ast`; nodes without fields (`Load()`) are one object each, as in CPython.

use std::rc::Rc;

use janus_bytecode::{Const, Span, Tree, TreeNode};
use janus_object::{
    Class, ExcKind, Instance, Name, Payload, PyDict, PyRef, PyResult, Raised, Value, attr,
    class_of, name, text, types,
};

use crate::Interp;

/// Nodes inside nodes, so that neither a cycle nor a deep tree overflows the stack.
const MAX_DEPTH: u32 = 4_000;

/// The module with the node classes.
struct Classes {
    names: PyRef<PyDict>,
    /// The objects of nodes without fields, by name.
    single: PyRef<PyDict>,
}

impl Classes {
    fn new(interp: &mut Interp) -> PyResult<Classes> {
        let missing = || Raised::new(ExcKind::SystemError, "_ast is not complete");
        let Value::Module(module) = interp.import_module("_ast")? else {
            return Err(missing());
        };
        let names = module.dict.clone();
        let single = names.get_name(&Name::new("_single"));
        let single = single.and_then(|s| s.as_dict().cloned());
        Ok(Classes {
            names,
            single: single.ok_or_else(missing)?,
        })
    }

    fn class(&self, name: &str) -> Option<PyRef<Class>> {
        match self.names.get_name(&Name::new(name)) {
            Some(Value::Class(class)) => Some(class),
            _ => None,
        }
    }

    /// The node class that an object is of: its own, or the one that a script derived its own from.
    fn node_class(&self, object: &Value) -> Option<PyRef<Class>> {
        let class = object.as_instance()?.class();
        class.mro.borrow().iter().find_map(|class| {
            let known = self.class(class.name.borrow().as_str())?;
            (PyRef::ptr_eq(&known, class) && known.lookup(name!("_fields")).is_some())
                .then_some(known)
        })
    }
}

impl Interp {
    /// What `compile()` returns for a tree where one is asked for.
    pub(crate) fn tree_object(&mut self, tree: &Tree) -> PyResult {
        let classes = Classes::new(self)?;
        Ok(to_object(&classes, tree))
    }

    /// Whether an object is a node of a syntax tree.
    pub(crate) fn is_tree(&mut self, object: &Value) -> PyResult<bool> {
        // Without the module there are no nodes.
        if object.as_instance().is_none() || self.modules.get_str("_ast").is_none() {
            return Ok(false);
        }
        Ok(Classes::new(self)?.node_class(object).is_some())
    }

    /// The tree that an object is.
    pub(crate) fn tree_of(&mut self, object: &Value) -> PyResult<Tree> {
        let classes = Classes::new(self)?;
        to_data(self, &classes, object, 0)
    }
}

fn to_object(classes: &Classes, tree: &Tree) -> Value {
    match tree {
        Tree::Absent => Value::None,
        Tree::List(items) => {
            Value::list(items.iter().map(|item| to_object(classes, item)).collect())
        }
        Tree::Text(text) | Tree::Foreign(text) => Name::new(text).to_value(),
        Tree::Int(value) => Value::Int(*value),
        Tree::Constant(value) => janus_object::constant(value),
        Tree::Node(node) => node_object(classes, node),
    }
}

fn node_object(classes: &Classes, node: &TreeNode) -> Value {
    if let Some(single) = classes.single.get_name(&Name::new(&node.name)) {
        return single;
    }
    let Some(class) = classes.class(&node.name) else {
        return Value::None;
    };
    let instance = Instance::new(class, Payload::None);
    let dict = instance.dict();
    for (field, value) in &node.fields {
        dict.set_name(&Name::new(field), to_object(classes, value));
    }
    if let Some(span) = node.span {
        for (name, value) in [
            (name!("lineno"), span.line),
            (name!("col_offset"), span.col),
            (name!("end_lineno"), span.end_line),
            (name!("end_col_offset"), span.end_col),
        ] {
            dict.set_name(name, Value::Int(i64::from(value)));
        }
    }
    Value::Instance(PyRef::new(instance))
}

fn to_data(interp: &mut Interp, classes: &Classes, object: &Value, depth: u32) -> PyResult<Tree> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    Ok(match object {
        Value::None => Tree::Absent,
        Value::Str(text) => Tree::Text(text.as_str().to_owned()),
        Value::Bool(value) => Tree::Int(i64::from(value.get())),
        Value::Int(value) => Tree::Int(*value),
        Value::List(items) => {
            let items: Vec<Value> = items.to_vec();
            let items = items
                .iter()
                .map(|item| to_data(interp, classes, item, depth + 1));
            Tree::List(items.collect::<PyResult<_>>()?)
        }
        other => match classes.node_class(other) {
            Some(class) => node_data(interp, classes, other, &class, depth)?,
            None => Tree::Foreign(text::repr(interp, other)?),
        },
    })
}

/// What a tree is that nests too deep.
pub(crate) fn too_deep() -> Raised {
    Raised::new(
        ExcKind::RecursionError,
        "maximum recursion depth exceeded during ast construction",
    )
}

fn node_data(
    interp: &mut Interp,
    classes: &Classes,
    object: &Value,
    class: &PyRef<Class>,
    depth: u32,
) -> PyResult<Tree> {
    let strings = |names: Option<Value>| -> Vec<Name> {
        let names = names.as_ref().and_then(Value::as_tuple);
        let names = names.map_or(&[][..], |names| &names.items);
        names
            .iter()
            .filter_map(|n| n.as_str().map(Name::new))
            .collect()
    };
    let name = class.name.borrow().as_str().to_owned();
    let literal = matches!(&*name, "Constant" | "MatchSingleton");
    let mut fields = Vec::new();
    for field in strings(class.lookup(name!("_fields"))) {
        let Some(value) = attr::get_opt(interp, object, &field)? else {
            continue;
        };
        let data = match literal && field.as_str() == "value" {
            true => match constant(&value) {
                Ok(value) => Tree::Constant(value),
                Err(class) => Tree::Foreign(class),
            },
            false => to_data(interp, classes, &value, depth + 1)?,
        };
        fields.push((field.as_str().to_owned().into(), data));
    }
    let span = match strings(class.lookup(name!("_attributes"))).is_empty() {
        true => None,
        false => span_of(interp, object)?,
    };
    Ok(Tree::Node(Box::new(TreeNode {
        name: name.into(),
        fields,
        span,
    })))
}

/// Where a node says that it stands; none where it does not say.
fn span_of(interp: &mut Interp, object: &Value) -> PyResult<Option<Span>> {
    let mut number = |name: &Name| -> PyResult<Option<i64>> {
        match attr::get_opt(interp, object, name)? {
            None | Some(Value::None) => Ok(None),
            Some(value @ (Value::Int(_) | Value::Bool(_))) => Ok(value.as_int()),
            Some(Value::BigInt(_)) => Err(Raised::overflow_error(
                "Python int too large to convert to C int",
            )),
            Some(value) => Err(Raised::value_error(format!(
                "invalid integer value: {}",
                text::repr(interp, &value)?
            ))),
        }
    };
    let (Some(line), Some(col)) = (number(name!("lineno"))?, number(name!("col_offset"))?) else {
        return Ok(None);
    };
    let end_line = number(name!("end_lineno"))?.unwrap_or(line);
    let end_col = number(name!("end_col_offset"))?.unwrap_or(col);
    if line > end_line {
        return Err(Raised::value_error(format!(
            "AST node line range ({line}, {end_line}) is not valid"
        )));
    }
    if (line < 0 && end_line != line) || (col < 0 && col != end_col) {
        return Err(Raised::value_error(format!(
            "AST node column range ({col}, {end_col}) for line range ({line}, {end_line}) is not valid"
        )));
    }
    if line == end_line && col > end_col {
        return Err(Raised::value_error(format!(
            "line {line}, column {col}-{end_col} is not a valid range"
        )));
    }
    let [line, end_line, col, end_col] =
        [line, end_line, col, end_col].map(|n| n.clamp(0, i64::from(u32::MAX) - 1) as u32);
    Ok(Some(Span {
        line,
        end_line,
        col,
        end_col,
    }))
}

/// A literal's value; where it cannot be one, the name of the class that it is of.
fn constant(value: &Value) -> Result<Const, String> {
    Ok(match value {
        Value::None => Const::None,
        Value::Ellipsis => Const::Ellipsis,
        Value::Bool(b) => Const::Bool(b.get()),
        Value::Int(i) => Const::Int(*i),
        Value::BigInt(i) => Const::BigInt(i.to_string().into()),
        Value::Float(f) => Const::Float(f.get()),
        Value::Str(s) => Const::Str(s.as_str().into()),
        Value::Tuple(items) => {
            let items: Result<Vec<Const>, String> = items.items.iter().map(constant).collect();
            Const::Tuple(items?.into())
        }
        Value::Bytes(bytes) if !bytes.mutable => Const::Bytes(Rc::from(&*bytes.bytes())),
        other => match janus_object::complex_parts(other) {
            Some((re, im)) if PyRef::ptr_eq(&class_of(other), &types().complex) => {
                Const::Complex(re, im)
            }
            _ => return Err(other.type_name().to_string()),
        },
    })
}
