//! The limit on decimal digits where ints become text or are made of it.
//!
//! In: `sys.set_int_max_str_digits`. Out: CPython's ValueError for ints with more digits. Always: bases that are
//! powers of two have no limit, since they are converted in linear time.

use std::cell::Cell;

use num_bigint::BigInt;

use crate::{PyResult, Raised};

/// The limit that a program begins with.
pub const DEFAULT_LIMIT: i64 = 4300;
/// A limit below this is refused, and fewer digits are never looked at.
pub const LEAST_LIMIT: i64 = 640;

janus_gil::gil_local! {
    static LIMIT: Cell<i64> = const { Cell::new(DEFAULT_LIMIT) };
}

/// `sys.get_int_max_str_digits()`; 0 is none.
pub fn limit() -> i64 {
    LIMIT.get()
}

/// `sys.set_int_max_str_digits(limit)`
pub fn set_limit(limit: i64) -> PyResult<()> {
    if limit != 0 && limit < LEAST_LIMIT {
        return Err(Raised::value_error(format!(
            "maxdigits must be 0 or larger than {LEAST_LIMIT}"
        )));
    }
    LIMIT.set(limit);
    Ok(())
}

/// The decimal digits of an int, with its sign.
pub(crate) fn decimal(int: &BigInt) -> PyResult<String> {
    let limit = LIMIT.get().unsigned_abs();
    let too_many = || {
        Raised::value_error(format!(
            "Exceeds the limit ({limit} digits) for integer string conversion; use \
             sys.set_int_max_str_digits() to increase the limit"
        ))
    };
    // A digit is worth less than four bits, so this one has more of them.
    if limit != 0 && int.bits() / 4 > limit {
        return Err(too_many());
    }
    let text = int.to_string();
    let digits = text.trim_start_matches('-').len() as u64;
    if limit != 0 && digits > limit {
        return Err(too_many());
    }
    Ok(text)
}

/// Refuses to make an int of that many digits.
pub fn check(digits: usize, base: u32) -> PyResult<()> {
    let limit = LIMIT.get();
    let digits = i64::try_from(digits).unwrap_or(i64::MAX);
    if limit == 0 || digits <= limit || base.is_power_of_two() {
        return Ok(());
    }
    Err(Raised::value_error(format!(
        "Exceeds the limit ({limit} digits) for integer string conversion: value has {digits} digits; use \
         sys.set_int_max_str_digits() to increase the limit"
    )))
}
