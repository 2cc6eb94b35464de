//! `einsum`.
//!
//! In: an equation and operands. Out: their contraction, from left to right, each step one `dot`.
//! Always: a letter in both operands of a step and needed later is a batch dimension; one that is
//! not needed later is summed.

use janus_tensor::ops::{Axes, Dims};
use janus_tensor::{DType, Dim, TensorError};

use super::linalg::sum_dims;
use super::{TRes, runtime};
use crate::TorchOps;

/// A tensor whose dimensions have letters.
struct Labelled<B: TorchOps> {
    t: B::T,
    labels: Vec<char>,
}

/// Letters for the dimensions of an ellipsis; outside what equations can name.
fn ellipsis_label(i: usize) -> char {
    char::from_u32(0xE000 + i as u32).unwrap_or('\u{E000}')
}

/// One term of an equation: its subscripts, and where in them an ellipsis stands.
#[derive(Default)]
struct Term {
    letters: Vec<char>,
    ellipsis: Option<usize>,
}

impl Term {
    /// The labels of a term with so many dimensions in its ellipsis, which align at the right.
    fn labels(&self, n: usize) -> Vec<char> {
        let mut labels = self.letters.clone();
        if let Some(place) = self.ellipsis {
            labels.splice(place..place, (0..n).rev().map(ellipsis_label));
        }
        labels
    }
}

/// The terms before and after the arrow of an equation.
struct Equation {
    inputs: Vec<Term>,
    output: Option<Term>,
}

impl Equation {
    /// Reads an equation; what is wrong with it is told by the place of a character in all of it.
    fn parse(text: &str) -> Result<Equation, String> {
        let characters: Vec<char> = text.chars().collect();
        let (mut inputs, mut output) = (vec![Term::default()], None);
        let mut i = 0;
        while let Some(&c) = characters.get(i) {
            let next_are = |text: &str| {
                characters
                    .iter()
                    .skip(i)
                    .copied()
                    .zip(text.chars())
                    .filter(|(a, b)| a == b)
                    .count()
                    == text.len()
            };
            let operand = inputs.len() - 1;
            let is_output = output.is_some();
            let term = match (&mut output, inputs.last_mut()) {
                (Some(term), _) | (None, Some(term)) => term,
                (None, None) => break,
            };
            match c {
                ' ' => {}
                '.' if term.ellipsis.is_some() => {
                    return Err(if is_output {
                        "found '.' for output but an ellipsis (...) was already found".to_owned()
                    } else {
                        format!(
                            "found '.' for operand {operand} for which an ellipsis was already found"
                        )
                    });
                }
                '.' if next_are("...") => {
                    term.ellipsis = Some(term.letters.len());
                    i += 2;
                }
                '.' => {
                    return Err(if is_output {
                        "found '.' for output that is not part of any ellipsis (...)".to_owned()
                    } else {
                        format!("found '.' for operand {operand} that is not part of any ellipsis")
                    });
                }
                ',' if !is_output => inputs.push(Term::default()),
                '-' if !is_output && next_are("->") => {
                    output = Some(Term::default());
                    i += 1;
                }
                c if c.is_ascii_alphabetic() => {
                    if is_output && term.letters.contains(&c) {
                        return Err(format!(
                            "output subscript {c} appears more than once in the output"
                        ));
                    }
                    term.letters.push(c);
                }
                _ => {
                    return Err(format!(
                        "invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]"
                    ));
                }
            }
            i += 1;
        }
        Ok(Equation { inputs, output })
    }
}

/// Brings the dimensions into the order of `labels`; all of them are there.
fn order<B: TorchOps>(b: &mut B, x: &Labelled<B>, labels: &[char]) -> TRes<B> {
    let dims: Axes = labels
        .iter()
        .filter_map(|l| x.labels.iter().position(|m| m == l))
        .collect();
    if dims.iter().enumerate().all(|(i, &d)| i == d) {
        return Ok(x.t.clone());
    }
    b.permute(&x.t, &dims)
}

/// A letter twice in one operand: its diagonal.
fn take_diagonals<B: TorchOps>(
    b: &mut B,
    mut x: Labelled<B>,
    operand: usize,
) -> Result<Labelled<B>, B::Error> {
    let mut i = 0;
    while let Some(&label) = x.labels.get(i) {
        let again = x
            .labels
            .iter()
            .skip(i + 1)
            .position(|&l| l == label)
            .map(|p| p + i + 1);
        let Some(j) = again else {
            i += 1;
            continue;
        };
        let shape = b.shape(&x.t);
        if let (Some(&p), Some(&q)) = (shape.get(i), shape.get(j))
            && !b.dims_equal(p, q)?
        {
            let extent = |d: Dim| d.known().unwrap_or(-1);
            return Err(runtime::<B>(format!(
                "einsum(): subscript {label} is repeated for operand {operand} but the sizes don't match, {} != {}",
                extent(q),
                extent(p)
            )));
        }
        // Mask all but the diagonal, then sum one of the two dimensions away.
        let row = b.iota(i, DType::I64, &shape)?;
        let column = b.iota(j, DType::I64, &shape)?;
        let on = b.eq(&row, &column)?;
        let zero = super::splat_like(b, 0, &x.t)?;
        let kept = b.select(&on, &x.t, &zero)?;
        x.t = b.reduce(janus_tensor::ops::ReduceOp::Sum, &kept, &[j])?;
        x.labels.remove(j);
    }
    Ok(x)
}

/// Sums the letters that nobody needs.
fn drop_unneeded<B: TorchOps>(
    b: &mut B,
    x: Labelled<B>,
    needed: &[char],
) -> Result<Labelled<B>, B::Error> {
    let dims: Axes = x
        .labels
        .iter()
        .enumerate()
        .filter(|(_, l)| !needed.contains(l))
        .map(|(i, _)| i)
        .collect();
    let labels = x
        .labels
        .iter()
        .copied()
        .filter(|l| needed.contains(l))
        .collect();
    // A sum of ints is an int64, as everywhere.
    let t = match dims.is_empty() || b.dtype(&x.t).is_inexact() {
        true => x.t,
        false => b.cast(&x.t, DType::I64)?,
    };
    Ok(Labelled {
        t: sum_dims(b, &t, &dims)?,
        labels,
    })
}

fn extent<B: TorchOps>(b: &B, x: &Labelled<B>, label: char) -> Dim {
    let at = x.labels.iter().position(|&l| l == label);
    at.and_then(|i| b.shape(&x.t).get(i).copied())
        .unwrap_or(Dim::Known(1))
}

/// Stretches extents of 1 to those that other operands have for the same letter.
fn stretch<B: TorchOps>(b: &mut B, all: &mut [Labelled<B>]) -> Result<(), B::Error> {
    let mut extents: Vec<(char, Dim)> = Vec::new();
    for x in all.iter() {
        for &l in &x.labels {
            let n = extent(b, x, l);
            match extents.iter_mut().find(|(m, _)| *m == l) {
                Some((_, known)) if *known == Dim::Known(1) => *known = n,
                Some(_) => {}
                None => extents.push((l, n)),
            }
        }
    }
    for x in all {
        let have = b.shape(&x.t);
        let want: Dims = x
            .labels
            .iter()
            .zip(&have)
            .map(|(&l, &n)| match extents.iter().find(|(m, _)| *m == l) {
                Some(&(_, known)) if n == Dim::Known(1) => known,
                _ => n,
            })
            .collect();
        if want != have {
            x.t = super::expand_to(b, &x.t, &want)?;
        }
    }
    Ok(())
}

/// Contracts two operands.
fn contract<B: TorchOps>(
    b: &mut B,
    x: Labelled<B>,
    y: Labelled<B>,
    needed: &[char],
) -> Result<Labelled<B>, B::Error> {
    let later = |l: &char| needed.contains(l);
    // What only one side has and nobody needs later is summed at once.
    let keep_x: Vec<char> = x
        .labels
        .iter()
        .copied()
        .filter(|l| later(l) || y.labels.contains(l))
        .collect();
    let keep_y: Vec<char> = y
        .labels
        .iter()
        .copied()
        .filter(|l| later(l) || x.labels.contains(l))
        .collect();
    let x = drop_unneeded(b, x, &keep_x)?;
    let y = drop_unneeded(b, y, &keep_y)?;
    let both = |l: &&char| y.labels.contains(l);
    let batch: Vec<char> = x
        .labels
        .iter()
        .filter(both)
        .copied()
        .filter(|l| later(l))
        .collect();
    let inner: Vec<char> = x
        .labels
        .iter()
        .filter(both)
        .copied()
        .filter(|l| !later(l))
        .collect();
    let left: Vec<char> = x
        .labels
        .iter()
        .copied()
        .filter(|l| !y.labels.contains(l))
        .collect();
    let right: Vec<char> = y
        .labels
        .iter()
        .copied()
        .filter(|l| !x.labels.contains(l))
        .collect();
    let mut batch_dims = Dims::new();
    for &l in batch.iter().chain(&inner) {
        let (p, q) = (extent(b, &x, l), extent(b, &y, l));
        if p != q && !b.dims_equal(p, q)? {
            return Err(runtime::<B>(format!(
                "einsum(): subscript {l} has size {} for operand 1 which does not broadcast with previously seen size {}",
                q.known().unwrap_or(-1),
                p.known().unwrap_or(-1)
            )));
        }
        if batch.contains(&l) {
            batch_dims.push(p);
        }
    }
    let dims_of = |b: &B, t: &Labelled<B>, ls: &[char]| -> Dims {
        ls.iter().map(|&l| extent(b, t, l)).collect()
    };
    let (left_dims, right_dims) = (dims_of(b, &x, &left), dims_of(b, &y, &right));
    let inner_dims = dims_of(b, &x, &inner);
    let (n, m, p, k) = (
        b.numel(&batch_dims)?,
        b.numel(&left_dims)?,
        b.numel(&right_dims)?,
        b.numel(&inner_dims)?,
    );
    let wanted_x: Vec<char> = [&batch[..], &left, &inner].concat();
    let wanted_y: Vec<char> = [&batch[..], &inner, &right].concat();
    let xt = order(b, &x, &wanted_x)?;
    let yt = order(b, &y, &wanted_y)?;
    let (xt, yt) = (b.reshape(&xt, &[n, m, k])?, b.reshape(&yt, &[n, k, p])?);
    let (have, other) = (b.dtype(&xt), b.dtype(&yt));
    if have != other {
        return Err(runtime::<B>(format!(
            "expected scalar type {} but found {}",
            have.scalar_type_name(),
            other.scalar_type_name()
        )));
    }
    // There is no product of matrices of bools; without sums none is needed.
    let t = match have == DType::Bool && inner.is_empty() {
        true => {
            let shape = [n, m, p];
            let x = super::expand_to(b, &xt, &shape)?;
            let y = super::expand_to(b, &yt, &shape)?;
            b.and(&x, &y)?
        }
        false => b.dot(&xt, &yt)?,
    };
    let mut shape = batch_dims;
    shape.extend(left_dims);
    shape.extend(right_dims);
    let t = b.reshape(&t, &shape)?;
    Ok(Labelled {
        t,
        labels: [&batch[..], &left, &right].concat(),
    })
}

/// `einsum(equation, *operands)`
pub fn einsum_of<B: TorchOps>(b: &mut B, equation: &str, operands: &[B::T]) -> TRes<B> {
    if operands.is_empty() {
        return Err(TensorError::Value(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list".to_owned(),
        )
        .into());
    }
    let refused = |text: String| runtime::<B>(format!("einsum(): {text}"));
    let equation = Equation::parse(equation).map_err(refused)?;
    let terms = equation.inputs;
    if terms.len() != operands.len() {
        return Err(runtime::<B>(format!(
            "einsum(): {} operands were provided than specified in the equation",
            if terms.len() < operands.len() {
                "more"
            } else {
                "fewer"
            }
        )));
    }
    let mut all: Vec<Labelled<B>> = Vec::new();
    let mut longest_ellipsis = 0;
    for (i, (term, t)) in terms.iter().zip(operands).enumerate() {
        let (rank, named) = (super::rank(b, t), term.letters.len());
        let ellipsis = match (term.ellipsis, rank.checked_sub(named)) {
            (Some(_), Some(n)) => n,
            (None, Some(0)) => 0,
            (place, _) => {
                return Err(runtime::<B>(format!(
                    "einsum(): the number of subscripts in the equation ({named}) {} the number of dimensions ({rank}) for operand {i}{}",
                    if place.is_some() {
                        "is more than"
                    } else {
                        "does not match"
                    },
                    if place.is_some() {
                        ""
                    } else {
                        " and no ellipsis was given"
                    }
                )));
            }
        };
        longest_ellipsis = longest_ellipsis.max(ellipsis);
        let labelled = Labelled {
            t: t.clone(),
            labels: term.labels(ellipsis),
        };
        all.push(take_diagonals(b, labelled, i)?);
    }
    stretch(b, &mut all)?;
    let output: Vec<char> = match &equation.output {
        Some(term) => term.labels(longest_ellipsis),
        None => {
            // Without an output: the ellipsis, then the letters that stand once, in order.
            let letters: Vec<char> = terms
                .iter()
                .flat_map(|t| t.letters.iter().copied())
                .collect();
            let mut once: Vec<char> = letters
                .iter()
                .copied()
                .filter(|c| letters.iter().filter(|d| *d == c).count() == 1)
                .collect();
            once.sort_unstable();
            let ellipsis = (0..longest_ellipsis).rev().map(ellipsis_label);
            ellipsis.chain(once).collect()
        }
    };
    for l in &output {
        if !all.iter().any(|x| x.labels.contains(l)) {
            return Err(runtime::<B>(format!(
                "einsum(): output subscript {l} does not appear in the equation for any input operand"
            )));
        }
    }
    let mut rest = all.into_iter();
    let Some(mut result) = rest.next() else {
        return Err(runtime::<B>("einsum(): must provide at least one operand"));
    };
    let mut waiting: Vec<Labelled<B>> = rest.collect();
    while !waiting.is_empty() {
        let next = waiting.remove(0);
        let mut needed = output.clone();
        for x in &waiting {
            needed.extend(x.labels.iter().copied());
        }
        result = contract(b, result, next, &needed)?;
    }
    let result = drop_unneeded(b, result, &output)?;
    order(b, &result, &output)
}
