//! The device code of a region, run on an emulated GPU and compared with the CPU's.
//!
//! In: object code of both kinds, arguments, what the CPU made of them. Out: a tally of all comparisons, and the device's
//! results for regions whose tensors are there.
//! Always: the CPU's results are those that count for other regions. The device code runs twice: with reductions in the CPU's order,
//! which must give the CPU's bits, and in the order of a device, where a float may differ by what that explains.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use janus_device::emulate;
use janus_tensor::{Buffer, alloc};

use crate::compile::CompileError;
use crate::run::{Arg, Function, Functions, Out, RunError};
use crate::signature::{Param, Signature};

/// What a float may differ by, in parts of the largest element of its tensor.
const CLOSE_F32: f64 = 1e-5;
const CLOSE_F64: f64 = 1e-12;
/// The same of floats of 16 bits, which have so few digits.
const CLOSE_F16: f64 = 1e-2;

/// These runs of a region are compared, and then each whose number is a power of two.
const FIRST_RUNS: u64 = 4;

/// Which region is compared, and how.
#[derive(Clone, Copy, Debug)]
pub struct Emulation<'a> {
    /// What differences are said to be of.
    pub name: &'a str,
    /// Decides the order of threads.
    pub seed: u64,
    /// Its tensors are on the device: what the device computes counts.
    pub counts: bool,
}

/// What all comparisons of this process came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Regions with device code.
    pub regions: u64,
    /// Regions without, and why.
    pub without: Vec<String>,
    /// What ran on the host in regions with device code, and why.
    pub on_host: Vec<String>,
    /// Launches of kernels.
    pub launches: u64,
    /// Runs of device code.
    pub runs: u64,
    /// Results that were equal to the bit.
    pub equal: u64,
    /// Results that differed by no more than the order of a sum explains.
    pub close: u64,
    /// The largest of those differences, in parts of the largest element.
    pub distance: f64,
    /// Results that differ by more in the device's order, one line each. Rounding that a program magnifies comes to
    /// that (a gradient that would be zero, over its own size), so it is no proof of anything wrong.
    pub far: Vec<String>,
    /// What is wrong, one line each: faults, and results that differ although the order of sums is the CPU's.
    pub different: Vec<String>,
}

static TALLY: Mutex<Option<Tally>> = Mutex::new(None);

/// What comparisons came to, if there were any.
#[must_use]
pub fn emulation_tally() -> Option<Tally> {
    TALLY.lock().ok()?.clone()
}

fn count(add: impl FnOnce(&mut Tally)) {
    if let Ok(mut tally) = TALLY.lock() {
        add(tally.get_or_insert_default());
    }
}

/// A region that has no device code.
pub(crate) fn count_without(name: &str, why: &CompileError) {
    let why = match why.limitation() {
        Some((_, text, line)) => format!("line {line}: {text}"),
        None => format!("a defect: {why}"),
    };
    count(|tally| match why.starts_with("a defect") {
        true => tally.different.push(format!("{name}: {why}")),
        false => tally.without.push(format!("{name}: {why}")),
    });
}

/// What of a region with device code runs on the host.
pub(crate) fn count_with(name: &str, on_host: &[String]) {
    count(|tally| {
        tally.regions += 1;
        tally
            .on_host
            .extend(on_host.iter().map(|what| format!("{name}: {what}")));
    });
}

/// Allocates memory of the emulated device. What nobody wrote there is no number, and no index.
pub(crate) extern "C" fn janus_rt_device_alloc(bytes: i64) -> *mut u8 {
    let memory = alloc::janus_rt_alloc(bytes);
    // SAFETY: it has so many bytes, and is nobody else's.
    unsafe { memory.write_bytes(0xff, usize::try_from(bytes).unwrap_or(0)) };
    memory
}

/// The device code of a region, for the host.
pub(crate) struct Emulated {
    pub(crate) name: String,
    pub(crate) seed: u64,
    /// As [`Emulation::counts`].
    pub(crate) counts: bool,
    /// As on a device.
    pub(crate) trees: Functions,
    /// With reductions in the CPU's order.
    pub(crate) sequences: Functions,
    pub(crate) runs: AtomicU64,
}

impl Emulated {
    /// Runs a region: on the CPU, on the device, or on both, where that is compared. Returns what counts.
    ///
    /// # Safety
    /// As for [`Compiled::run`](crate::Compiled::run).
    pub(crate) unsafe fn run(
        &self,
        backward: bool,
        arguments: &[Arg<'_>],
        on_cpu: impl FnOnce() -> Result<Vec<Out>, RunError>,
    ) -> Result<Vec<Out>, RunError> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let compared = run < FIRST_RUNS || run.is_power_of_two();
        let name = format!("{}{}", self.name, if backward { " backward" } else { "" });
        let [sequences, trees] = [&self.sequences, &self.trees].map(|functions| match backward {
            true => functions.backward.as_ref(),
            false => Some(&functions.forward),
        });
        let (Some(sequences), Some(trees)) = (sequences, trees) else {
            return on_cpu();
        };
        // SAFETY: the caller's promise.
        let on_device = |function| unsafe { self.launch(&name, run, function, arguments) };
        if !compared {
            return if self.counts {
                on_device(sequences)
            } else {
                on_cpu()
            };
        }
        let expected = on_cpu();
        let found = on_device(sequences);
        let in_order = on_device(trees);
        count(|tally| {
            tally.run(&name, &sequences.signature, true, [&expected, &found]);
            tally.run(&name, &trees.signature, false, [&expected, &in_order]);
        });
        if self.counts { found } else { expected }
    }

    /// Calls device code.
    ///
    /// # Safety
    /// As for [`Compiled::run`](crate::Compiled::run).
    unsafe fn launch(
        &self,
        name: &str,
        run: u64,
        function: &Function,
        arguments: &[Arg<'_>],
    ) -> Result<Vec<Out>, RunError> {
        emulate::seed(self.seed.wrapping_add(run));
        let before = emulate::launches();
        // SAFETY: the caller's promise.
        let found = unsafe { function.call(arguments) };
        count(|tally| {
            tally.runs += 1;
            tally.launches += emulate::launches() - before;
            if let Some(fault) = emulate::take_fault() {
                tally.different.push(format!("{name}: {fault}"));
            }
        });
        found
    }
}

impl Tally {
    fn run(
        &mut self,
        name: &str,
        signature: &Signature,
        exact: bool,
        of: [&Result<Vec<Out>, RunError>; 2],
    ) {
        // What rounding decides may well be decided in another way on a device.
        let list = |tally: &mut Self, what: String| match exact {
            true => tally.different.push(what),
            false => tally.far.push(what),
        };
        let (expected, found) = match of {
            [Ok(expected), Ok(found)] => (expected, found),
            [Err(expected), Err(found)] if expected == found => {
                self.equal += 1;
                return;
            }
            [Ok(_), Err(found)] => {
                return list(self, format!("{name}: {found} on the device alone"));
            }
            [Err(expected), _] => {
                return list(self, format!("{name}: {expected} on the CPU alone"));
            }
        };
        for (number, (param, (expected, found))) in signature
            .results
            .iter()
            .zip(expected.iter().zip(found))
            .enumerate()
        {
            match distance(param, expected, found, exact) {
                Ok(0.0) => self.equal += 1,
                Ok(far) => {
                    self.close += 1;
                    self.distance = self.distance.max(far);
                }
                Err(what) => list(self, format!("{name}: result {number}, {param:?}: {what}")),
            }
        }
    }
}

/// How far apart two results are in parts of the largest element, or what is wrong.
fn distance(param: &Param, expected: &Out, found: &Out, exact: bool) -> Result<f64, String> {
    let bound = |close: f64| if exact { 0.0 } else { close };
    match (expected, found) {
        (Out::I64(a), Out::I64(b)) if a == b => Ok(0.0),
        (Out::Bool(a), Out::Bool(b)) if a == b => Ok(0.0),
        (Out::F64(a), Out::F64(b)) => apart([*a].into_iter(), [*b].into_iter(), bound(CLOSE_F32)),
        (
            Out::Tensor {
                buffer: a,
                sizes: x,
            },
            Out::Tensor {
                buffer: b,
                sizes: y,
            },
        ) if x == y => {
            let Param::Tensor { width, floats, .. } = param else {
                return Err("no tensor is expected".to_owned());
            };
            let (a, b) = (bytes(a), bytes(b));
            match (floats, width) {
                _ if a == b => Ok(0.0),
                (true, 8) => apart(
                    numbers(a, f64::from_ne_bytes),
                    numbers(b, f64::from_ne_bytes),
                    CLOSE_F64,
                ),
                (true, 4) => {
                    let read = |bytes| f64::from(f32::from_ne_bytes(bytes));
                    apart(numbers(a, read), numbers(b, read), bound(CLOSE_F32))
                }
                (true, 2) => {
                    // Both kinds of 16 bits are ordered as their bits are.
                    let read = |bytes: [u8; 2]| {
                        f64::from(f32::from_bits(u32::from(u16::from_ne_bytes(bytes)) << 16))
                    };
                    apart(numbers(a, read), numbers(b, read), bound(CLOSE_F16))
                }
                _ => {
                    let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(0) / width.max(&1);
                    Err(format!(
                        "element {at} of {} differs",
                        a.len() / width.max(&1)
                    ))
                }
            }
        }
        (Out::Tensor { sizes: x, .. }, Out::Tensor { sizes: y, .. }) => {
            Err(format!("{y:?} instead of {x:?}"))
        }
        _ => Err(format!("{found:?} instead of {expected:?}")),
    }
}

fn bytes(buffer: &Buffer) -> &[u8] {
    // SAFETY: a buffer is as long as it says and has its memory while it lives, and code that ran has written it.
    unsafe { std::slice::from_raw_parts(buffer.ptr(), buffer.len()) }
}

fn numbers<const N: usize>(
    bytes: &[u8],
    read: impl Fn([u8; N]) -> f64 + Clone,
) -> impl Iterator<Item = f64> + Clone {
    bytes
        .as_chunks::<N>()
        .0
        .iter()
        .map(move |chunk| read(*chunk))
}

fn apart(
    a: impl Iterator<Item = f64> + Clone,
    b: impl Iterator<Item = f64> + Clone,
    close: f64,
) -> Result<f64, String> {
    let largest = a
        .clone()
        .filter(|x| x.is_finite())
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut furthest = 0.0;
    for (at, (a, b)) in a.zip(b).enumerate() {
        let same = a == b || (a.is_nan() && b.is_nan());
        let far = if same { 0.0 } else { (a - b).abs() / largest };
        if far > close || far.is_nan() {
            return Err(format!(
                "element {at} is {b} instead of {a}; the largest is {largest}"
            ));
        }
        furthest = far.max(furthest);
    }
    // Bits that mean the same, such as those of two NaNs, are no difference.
    Ok(furthest)
}

#[cfg(test)]
mod tests {
    use super::apart;

    fn of(a: &[f64], b: &[f64]) -> Result<f64, String> {
        apart(a.iter().copied(), b.iter().copied(), 1e-5)
    }

    #[test]
    fn a_sum_in_another_order_is_close_and_no_more() {
        assert_eq!(
            of(
                &[1.0, f64::NAN, f64::INFINITY],
                &[1.0, f64::NAN, f64::INFINITY]
            ),
            Ok(0.0)
        );
        assert!(of(&[100.0, 1.0], &[100.0, 1.0005]).is_ok_and(|far| far > 0.0));
        assert!(of(&[1.0, 1.0], &[1.0, 1.0005]).is_err());
        assert!(of(&[0.0], &[1e-9]).is_err());
        assert!(of(&[1.0], &[f64::NAN]).is_err());
        assert!(of(&[f64::INFINITY], &[1.0]).is_err());
    }
}
