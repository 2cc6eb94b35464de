//! `einsum`.
//!
//! In: an equation and operands. Out: their contraction, from left to right, each step one `dot`.
//! Always: a letter in both operands of a step and needed later is a batch dimension; one that is
//! not needed later is summed.

use janus_tensor::Dim;
use janus_tensor::ops::{Axes, Dims};

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

fn parse_term(term: &str, rank: usize) -> Option<Vec<char>> {
    let named = term.chars().filter(|c| c.is_ascii_alphabetic()).count();
    let mut labels = Vec::new();
    let mut rest = term;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            // Ellipsis dimensions align at the right.
            let n = rank.checked_sub(named)?;
            labels.extend((0..n).map(|i| ellipsis_label(n - 1 - i)));
            rest = after;
        } else if c.is_ascii_alphabetic() {
            labels.push(c);
            rest = rest.get(1..)?;
        } else {
            return None;
        }
    }
    (labels.len() == rank).then_some(labels)
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
        let row = b.iota(i, janus_tensor::DType::I64, &shape)?;
        let column = b.iota(j, janus_tensor::DType::I64, &shape)?;
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
    Ok(Labelled {
        t: sum_dims(b, &x.t, &dims)?,
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
    let t = b.dot(&xt, &yt)?;
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
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match equation.split_once("->") {
        Some((i, o)) => (i, Some(o)),
        None => (equation.as_str(), None),
    };
    let terms: Vec<&str> = inputs.split(',').collect();
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
    for (i, (term, t)) in terms.iter().zip(operands).enumerate() {
        let rank = super::rank(b, t);
        let Some(labels) = parse_term(term, rank) else {
            return Err(runtime::<B>(format!(
                "einsum(): the number of subscripts in the equation ({}) does not match the number of dimensions ({rank}) for operand {i} and no ellipsis was given",
                term.chars().filter(|c| c.is_ascii_alphabetic()).count()
            )));
        };
        let labelled = Labelled {
            t: t.clone(),
            labels,
        };
        let operand = all.len();
        all.push(take_diagonals(b, labelled, operand)?);
    }
    stretch(b, &mut all)?;
    let longest_ellipsis = all
        .iter()
        .map(|x| x.labels.iter().filter(|l| !l.is_ascii_alphabetic()).count())
        .max()
        .unwrap_or(0);
    let ellipsis: Vec<char> = (0..longest_ellipsis).rev().map(ellipsis_label).collect();
    let output: Vec<char> = match output {
        Some(o) => {
            let named = o.chars().filter(|c| c.is_ascii_alphabetic()).count();
            let n = named
                + if o.contains("...") {
                    longest_ellipsis
                } else {
                    0
                };
            parse_term(o, n)
                .ok_or_else(|| runtime::<B>("einsum(): invalid output of the equation"))?
        }
        None => {
            // Without an output: the ellipsis, then the letters that stand once, in order.
            let letters: String = inputs.chars().filter(|c| c.is_ascii_alphabetic()).collect();
            let mut once: Vec<char> = letters
                .chars()
                .filter(|c| letters.chars().filter(|d| d == c).count() == 1)
                .collect();
            once.sort_unstable();
            [&ellipsis[..], &once].concat()
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
