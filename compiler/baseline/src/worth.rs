//! What a region costs tier 0, to tell whether compiled code pays.
//!
//! In: a program, and the profiles of its functions. Out: an estimate of the time that tier 0 takes for one run of the
//! region. Always: what native functions take counts as nothing, since no tier changes it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use janus_bytecode::Opcode;
use janus_object::CodeObject;

use crate::program::{Callee, Program, Source, Unit, loop_body};

/// What an instruction takes in tier 0 on the average.
const INSTRUCTION: f64 = 6.0;
/// What a call of a Python function takes there besides its instructions.
const CALL: f64 = 60.0;
/// What entering compiled code and coming back takes.
const ENTRY: f64 = 120.0;
/// What a call of compiled code without a frame takes longer than a call there, all in nanoseconds.
const CALL_COMPILED: f64 = 40.0;
/// What compiled code takes more than tier 0 for an instruction that it leaves to the interpreter's functions.
const EFFECT: f64 = 4.0;
/// The same for the next item of a generator, whose frame tier 0 runs in the loop of the one that asks.
const DRIVE: f64 = 45.0;
/// The same for a call of Python, which tier 0 runs in its loop as well.
const CALL_OUT: f64 = 60.0;
/// The same for each name that compiled code keeps in a variable, and writes and compares there.
const NAME: f64 = 12.0;
/// Calls within calls that are looked at.
const DEPTH: usize = 6;
/// Of the instructions of a loop or function so much are run each time: branches leave out some.
const RUN: f64 = 0.7;
/// Trips of a loop that never ended yet.
const TRIPS: f64 = 8.0;

/// What a unit costs without the functions that it calls, what of that compiled code saves, and how often it calls which.
struct Own {
    cost: f64,
    saved: f64,
    calls: Vec<(f64, usize)>,
}

impl Program {
    /// An estimate of the time that tier 0 takes for one run of the region.
    pub fn interpreted(&self) -> Duration {
        Duration::from_nanos(total(&self.own_costs(), |own| own.cost) as u64)
    }

    /// The same for one call of a function, or one iteration of a loop.
    pub fn interpreted_once(&self) -> Duration {
        let trips = self
            .units
            .first()
            .and_then(|unit| Some(trips(&unit.code, unit.head()?)));
        self.interpreted().div_f64(trips.unwrap_or(1.0))
    }

    /// Whether it may be that compiled code takes less time than tier 0, where it is entered once for a run.
    pub fn may_pay(&self, from_outside: bool) -> bool {
        let units = self.own_costs();
        let entry = match self.units.first() {
            Some(unit) if unit.is_callable() && from_outside => 0.0,
            Some(unit) if unit.is_callable() => CALL_COMPILED,
            _ => ENTRY,
        };
        total(&units, |own| own.cost) > entry && total(&units, |own| own.saved) > 0.0
    }

    fn own_costs(&self) -> Vec<Own> {
        self.units.iter().map(own_cost).collect()
    }
}

/// Nanoseconds of a region, calls within calls up to [`DEPTH`], given what those of each unit are without calls.
fn total(units: &[Own], of_unit: impl Fn(&Own) -> f64) -> f64 {
    let mut costs: Vec<f64> = units.iter().map(&of_unit).collect();
    for _ in 0..DEPTH {
        let with_calls = |unit: &Own| {
            let of = |(times, callee): &(f64, usize)| {
                times * (CALL + costs.get(*callee).copied().unwrap_or_default())
            };
            of_unit(unit) + unit.calls.iter().map(of).sum::<f64>()
        };
        costs = units.iter().map(with_calls).collect();
    }
    costs.first().copied().unwrap_or_default()
}

fn own_cost(unit: &Unit) -> Own {
    let trips = trips_by_instruction(unit);
    let times = |pc: u32| trips.get(pc as usize).copied().unwrap_or(1.0);
    let instructions = (0..unit.inside.len() as u32).filter(|pc| unit.is_inside(*pc));
    let cost = instructions.map(times).sum::<f64>() * INSTRUCTION * RUN;
    let run = || unit.blocks.iter().filter(|block| !block.state.rare);
    let effects = run().flat_map(|b| {
        // So are globals that are read and written where they live.
        let in_memory = |(pc, source): (&u32, &Source)| match source {
            Source::Memory(..) => Some(*pc),
            _ => None,
        };
        let loads = b.loads.iter().filter_map(in_memory);
        b.effects.keys().copied().chain(loads)
    });
    let effects: BTreeSet<u32> = effects.collect();
    let drives = |pc: u32| unit.code.profile.site(pc).is_some_and(|s| s.drives.get());
    let names = unit.names.len() as f64 * NAME;
    let calls_out = |pc: u32| {
        let site = unit.code.profile.site(pc);
        let callee = site.filter(|_| is_call(unit, pc));
        callee.is_some_and(|site| site.callee.borrow().as_ref().is_some_and(|c| c.is_python))
    };
    let lost = |pc: &u32| {
        let names = if is_plain(unit, *pc) { 0.0 } else { names };
        let more = match (drives(*pc), calls_out(*pc)) {
            (true, _) => DRIVE,
            (_, true) => CALL_OUT,
            _ => EFFECT,
        };
        times(*pc) * (INSTRUCTION + more + names) * RUN
    };
    let saved = cost - effects.iter().map(lost).sum::<f64>();
    // A place is in a block for each combination of kinds.
    let mut callees = BTreeMap::new();
    for (pc, callee) in run().flat_map(|block| &block.calls) {
        if let Callee::Unit(unit, _)
        | Callee::ByCode(unit, _)
        | Callee::Operator { unit, .. }
        | Callee::Make { unit, .. } = callee
        {
            callees.entry(*pc).or_insert(*unit);
        }
    }
    let calls = callees.into_iter();
    Own {
        cost,
        saved,
        calls: calls
            .map(|(pc, callee)| (times(pc) * RUN, callee))
            .collect(),
    }
}

/// Whether an instruction calls something.
fn is_call(unit: &Unit, pc: u32) -> bool {
    let instr = unit.code.code.instrs.get(pc as usize);
    instr.is_some_and(|i| matches!(i.op, Opcode::Call | Opcode::CallKw | Opcode::CallEx))
}

/// Whether what an instruction does mostly has nothing to do with Python, so that names stay in their variables.
fn is_plain(unit: &Unit, pc: u32) -> bool {
    use Opcode as O;
    let instr = unit.code.code.instrs.get(pc as usize);
    instr.is_some_and(|instr| {
        matches!(
            instr.op,
            O::SetAdd
                | O::MapAdd
                | O::BuildSet
                | O::BuildMap
                | O::BuildSlice
                | O::GetIter
                | O::ForIter
                | O::MakeFunction
        )
    })
}

/// How often each instruction of a unit is run in one run of it, as far as loops tell.
fn trips_by_instruction(unit: &Unit) -> Vec<f64> {
    let code = &unit.code;
    let mut times = vec![1.0; code.code.instrs.len()];
    for (head, instr) in (0..).zip(&code.code.instrs) {
        if matches!(instr.op, Opcode::ForIter | Opcode::LoopHead) && unit.is_inside(head) {
            let trips = trips(code, head);
            for (times, inside) in times.iter_mut().zip(loop_body(code, head)) {
                if inside {
                    *times *= trips;
                }
            }
        }
    }
    times
}

/// Trips of a loop on the average, about.
fn trips(code: &CodeObject, head: u32) -> f64 {
    let Some(site) = code.profile.site(head) else {
        return TRIPS;
    };
    match site.trips.get() {
        (0, 0, 0) => f64::from(site.running.get()).max(TRIPS),
        (last, least, most) => {
            let sum = f64::from(last) + f64::from(least) + f64::from(most);
            (sum / 3.0).max(1.0)
        }
    }
}
