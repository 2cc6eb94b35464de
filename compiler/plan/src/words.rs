//! Values and checks in a few words.
//!
//! In: a value, or what is assumed of one. Out: text for people. Always: there is no address in it, so that two runs
//! say the same.

use janus_object::{Value, class_of};
use janus_tensor::{Device, Tensor};

use crate::nodes::{Check, ScalarType};

/// Where a tensor is, if that is worth a word.
fn on(device: Device) -> String {
    match device {
        Device::Cpu => String::new(),
        device => format!(" on {device}"),
    }
}

/// A value in a few words.
#[must_use]
pub fn value_in_words(value: &Value) -> String {
    if let Some(t) = value.foreign::<Tensor>() {
        let grad = if t.requires_grad() {
            ", requires_grad"
        } else {
            ""
        };
        return format!(
            "tensor {}{:?}{}{grad}",
            t.dtype().name(),
            t.shape().as_slice(),
            on(t.device())
        );
    }
    match value {
        Value::None => "None".to_owned(),
        Value::Bool(b) => if b.get() { "True" } else { "False" }.to_owned(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => janus_object::text::float_repr(f.get()),
        Value::Str(s) => format!("'{}'", s.as_str()),
        Value::List(l) => format!("a list of {}", l.len()),
        Value::Tuple(t) => format!("a tuple of {}", t.len()),
        Value::Dict(d) => format!("a dict of {}", d.len()),
        Value::Function(f) => {
            let code = f.code.borrow().code.clone();
            format!("function {} of line {}", code.qualname, code.first_line)
        }
        Value::Native(n) => format!("built-in {}", n.qualname),
        Value::Class(c) => format!("class {}", c.display_name()),
        _ => {
            let class = class_of(value);
            let length = value.as_dict().map(|d| format!(" of {}", d.len()));
            format!("a {}{}", class.display_name(), length.unwrap_or_default())
        }
    }
}

/// What profiles say of a value beyond its kind.
#[must_use]
pub fn describe_kind(value: &Value) -> Option<String> {
    if let Some(t) = value.foreign::<Tensor>() {
        let dims: Vec<String> = t.shape().iter().map(i64::to_string).collect();
        let name = t.dtype().name();
        // `float32` is `f32` in the graph's types.
        let short = name
            .replace("float", "f")
            .replace("uint", "u")
            .replace("int", "i");
        return Some(format!("tensor {short}[{}]", dims.join(", ")));
    }
    Some(match value {
        Value::List(l) => format!("list of {}", l.len()),
        Value::Tuple(t) => format!("tuple of {}", t.len()),
        Value::Dict(d) => format!("dict of {}", d.len()),
        Value::Instance(_) => class_of(value).display_name(),
        Value::Module(m) => format!("module {}", m.name.as_str()),
        _ => return None,
    })
}

/// What is assumed of a value, in a few words.
#[must_use]
pub fn check_in_words(check: &Check) -> String {
    match check {
        Check::None => "anything".to_owned(),
        Check::Same(v) | Check::Equal(v) => value_in_words(v),
        Check::Scalar(ScalarType::Float) => "a float".to_owned(),
        Check::Scalar(ScalarType::Int) => "an int".to_owned(),
        Check::Scalar(ScalarType::Bool) => "a bool".to_owned(),
        Check::Instance { class, same, .. } => {
            let which = if same.is_some() { "the same" } else { "a" };
            format!("{which} {}", class.display_name())
        }
        Check::FunctionVersion(_) => "the function as it was".to_owned(),
        Check::ClassVersion(class, _) => format!("class {} unchanged", class.display_name()),
        Check::Iterator { generator: true } => "a generator".to_owned(),
        Check::Iterator { .. } => "an iterator".to_owned(),
        Check::AnySet => "a set".to_owned(),
        Check::Text => "a string".to_owned(),
        Check::Set(items) => format!("a set of just those {} items", items.len()),
        Check::List(None) => "a list".to_owned(),
        Check::List(Some(n)) => format!("a list of {n}"),
        Check::Tuple(n) => format!("a tuple of {n}"),
        Check::Dict(None) => "a dict".to_owned(),
        Check::Dict(Some((n, _))) | Check::StoredDict((n, _)) => {
            format!("a dict of {n}, with the same keys")
        }
        Check::Tensor(t) => {
            let dims: Vec<String> = t
                .dims
                .iter()
                .map(|d| d.map_or("?".to_owned(), |n| n.to_string()))
                .collect();
            let grad = if t.requires_grad {
                ", requires_grad"
            } else {
                ""
            };
            format!(
                "tensor {}[{}]{}{grad}",
                t.dtype.name(),
                dims.join(", "),
                on(t.device)
            )
        }
        Check::SameAs(_) => "the same object".to_owned(),
        Check::Missing => "nothing".to_owned(),
    }
}
