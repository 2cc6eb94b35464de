//! Division of big ints, with floors as Python has them.
//!
//! In: two ints, the divisor none of them zero. Out: quotient and rest, which has the divisor's sign. Always: where the quotient is
//! short, it is found from the leading bits, since the general way costs as much as for a long one.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// Bits of a quotient that the leading bits tell.
const SHORT: u64 = 60;
/// Bits of a divisor from which on that is the faster way.
const LONG: u64 = 256;

/// `(a // b, a % b)` for a `b` that is not zero.
pub(crate) fn div_mod_floor(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = div_rem(a.magnitude(), b.magnitude());
    let positive = (a.sign() == Sign::Minus) == (b.sign() == Sign::Minus);
    let sign = b.sign();
    match (positive, rest.is_zero()) {
        (true, _) => (quotient.into(), BigInt::from_biguint(sign, rest)),
        (false, true) => (-BigInt::from(quotient), BigInt::zero()),
        (false, false) => (
            -BigInt::from(quotient + 1u32),
            BigInt::from_biguint(sign, b.magnitude() - rest),
        ),
    }
}

/// Quotient and rest of magnitudes.
fn div_rem(a: &BigUint, b: &BigUint) -> (BigUint, BigUint) {
    let length = b.bits();
    match a.bits().checked_sub(length) {
        None => (BigUint::zero(), a.clone()),
        Some(more) if more < SHORT && length > LONG => short_quotient(a, b, length - 64),
        Some(_) => a.div_rem(b),
    }
}

/// The same for a quotient of at most [`SHORT`] + 1 bits; `cut` is how many bits of the divisor lie below its leading 64.
fn short_quotient(a: &BigUint, b: &BigUint, cut: u64) -> (BigUint, BigUint) {
    let (Some(of_a), Some(of_b)) = ((a >> cut).to_u128(), (b >> cut).to_u128()) else {
        return a.div_rem(b);
    };
    // Too small by at most two: the divisor is taken for larger than it is, by less than one of 2**63 parts.
    let mut quotient = BigUint::from(of_a / (of_b + 1));
    let mut rest = a - b * &quotient;
    while rest >= *b {
        rest -= b;
        quotient += BigUint::one();
    }
    (quotient, rest)
}
