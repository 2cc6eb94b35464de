//! One element or another: `where`, `masked_fill`, and numbers in the place of NaN.

use janus_tensor::DType;

use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};
use crate::functions::{
    Res, broadcast_shapes, check_fits, check_item_fits, expand_to, named, promoted, rank, runtime,
    splat_like,
};

/// Replaces NaN and infinities.
pub fn nan_to_num<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let nan = args.float_opt(b, 1)?.unwrap_or(0.0);
    let (high, low) = (args.float_opt(b, 2)?, args.float_opt(b, 3)?);
    let Some(largest) = b.dtype(&x).largest() else {
        return Ok(Ret::Tensor(b.copy(&x)?));
    };
    let (high, low) = (high.unwrap_or(largest), low.unwrap_or(-largest));
    let is_nan = b.ne(&x, &x)?;
    let value = splat_like(b, nan, &x)?;
    let mut t = b.select(&is_nan, &value, &x)?;
    for (limit, value) in [(f64::INFINITY, high), (f64::NEG_INFINITY, low)] {
        let limit = splat_like(b, limit, &x)?;
        let hit = b.eq(&x, &limit)?;
        let value = splat_like(b, value, &x)?;
        t = b.select(&hit, &value, &t)?;
    }
    named(b, t, "NanToNumBackward0")
}

fn choose<B: TorchOps>(b: &mut B, cond: &B::T, x: &Operand<B>, y: &Operand<B>) -> Res<B> {
    // uint8 is taken as bool, for old code.
    let cond = &match b.dtype(cond) {
        DType::U8 => b.cast(cond, DType::Bool)?,
        _ => cond.clone(),
    };
    if b.dtype(cond) != DType::Bool {
        return Err(runtime::<B>(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            b.dtype(cond).scalar_type_name()
        )));
    }
    let dtype = promoted(b, &[x, y]);
    let mut shape = b.shape(cond);
    for o in [x, y] {
        if let Operand::T(t) = o {
            let s = b.shape(t);
            shape = broadcast_shapes(b, &shape, &s)?;
        }
    }
    let cond = expand_to(b, cond, &shape)?;
    let mut sides = Vec::with_capacity(2);
    for o in [x, y] {
        sides.push(match o {
            Operand::T(t) => {
                let t = b.cast(t, dtype)?;
                expand_to(b, &t, &shape)?
            }
            Operand::S(s) => {
                check_fits(b, s, dtype)?;
                b.splat(s, dtype, &shape)?
            }
        });
    }
    let t = match sides.as_slice() {
        [x, y] => b.select(&cond, x, y)?,
        _ => return Err(runtime::<B>("where expects two values")),
    };
    named(b, t, "WhereBackward0")
}

/// `where(condition, input, other)`; with a condition only, the coordinates where it holds.
pub fn where_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let cond = args.tensor(0)?;
    if args.given(1).is_none() && args.given(2).is_none() {
        return crate::functions::gather::coordinates(b, &cond);
    }
    let (x, y) = (args.operand(b, 1)?, args.operand(b, 2)?);
    choose(b, &cond, &x, &y)
}

/// `input.where(condition, other)`
pub fn where_method<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, cond, y) = (args.tensor(0)?, args.tensor(1)?, args.operand(b, 2)?);
    choose(b, &cond, &Operand::T(x), &y)
}

/// `value` where `mask` holds.
pub fn masked_fill<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, mask) = (args.tensor(0)?, args.tensor(1)?);
    if b.dtype(&mask) != DType::Bool {
        return Err(runtime::<B>(format!(
            "masked_fill_ only supports boolean masks, but got mask with dtype {}",
            b.dtype(&mask).scalar_type_name()
        )));
    }
    let dtype = b.dtype(&x);
    let (p, q) = (b.shape(&x), b.shape(&mask));
    let shape = broadcast_shapes(b, &p, &q)?;
    let value = match args.operand(b, 2)? {
        Operand::S(s) => {
            check_fits(b, &s, dtype)?;
            b.splat(&s, dtype, &shape)?
        }
        Operand::T(t) => {
            let dims = rank(b, &t);
            if dims > 0 {
                return Err(runtime::<B>(format!(
                    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {dims} dimension(s)."
                )));
            }
            check_item_fits(b, &t, dtype)?;
            let t = b.cast(&t, dtype)?;
            expand_to(b, &t, &shape)?
        }
    };
    let (x, mask) = (expand_to(b, &x, &shape)?, expand_to(b, &mask, &shape)?);
    let t = b.select(&mask, &value, &x)?;
    named(b, t, "MaskedFillBackward0")
}
