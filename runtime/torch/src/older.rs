//! Calls by the signatures of PyTorch before 1.5, where factors stood among the operands: `add_(-lr, grad)`.
//!
//! In: positional arguments. Out: the same by today's signature. Always: what today's signature takes is left as it is.

use janus_object::Name;

use crate::TorchOps;
use crate::call::{Arg, Signature, number};
use crate::ops::Warning;

static DEPRECATED: Warning = Warning::new(
    "A call gives a factor in front of the operand it belongs to, as in add(input, alpha, other) or addcmul(input, value, tensor1, \
tensor2). These overloads are deprecated: consider add(input, other, alpha=alpha) and its like.",
);

/// The parameters in their older order, where a function had one. A method has its tensor first.
fn order(name: &str, given: usize) -> &'static [&'static [&'static str]] {
    match (name.trim_end_matches('_'), given) {
        ("add" | "sub", 3) => &[&["input", "alpha", "other"]],
        ("addcmul" | "addcdiv", 4) => &[&["input", "value", "tensor1", "tensor2"]],
        ("addmm" | "addmv" | "addr" | "addbmm" | "baddbmm", 5) => &[
            &["beta", "input", "alpha", "first", "second"],
            &["input", "beta", "alpha", "first", "second"],
        ],
        ("addmm" | "addmv" | "addr" | "addbmm" | "baddbmm", 4) => &[
            &["beta", "input", "first", "second"],
            &["input", "beta", "first", "second"],
        ],
        _ => &[],
    }
}

/// Moves the factors of an older call to where today's signature has them, which is behind a star.
pub(crate) fn in_order<B: TorchOps>(
    b: &mut B,
    signature: &Signature,
    pos: &mut Vec<Arg<B>>,
    kw: &mut Vec<(Name, Arg<B>)>,
) -> Result<(), B::Error> {
    if pos.len() <= signature.positional {
        return Ok(());
    }
    let is_factor = |name: &str| matches!(name, "alpha" | "beta" | "value");
    for names in order(signature.name, pos.len()) {
        let fits = names.iter().zip(pos.iter()).all(|(name, arg)| match arg {
            Arg::Tensor(_) => !is_factor(name),
            arg => is_factor(name) && number(b, arg).is_some(),
        });
        if fits {
            b.warn_once(&DEPRECATED)?;
            for (name, arg) in names.iter().zip(std::mem::take(pos)) {
                if is_factor(name) {
                    kw.push((Name::new(name), arg));
                } else {
                    pos.push(arg);
                }
            }
            return Ok(());
        }
    }
    Ok(())
}
