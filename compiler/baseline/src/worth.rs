//! What a region costs tier 0, to tell whether compiled code pays.
//!
//! In: a program, and the profiles of its functions. Out: an estimate of the time that tier 0 takes for one run of the
//! region. Always: what native functions take counts as nothing, since no tier changes it.

use std::time::Duration;

use janus_bytecode::Opcode;
use janus_object::CodeObject;

use crate::program::{Callee, Program, Unit, loop_body};

/// What an instruction takes in tier 0 on the average.
const INSTRUCTION: f64 = 6.0;
/// What a call of a Python function takes there besides its instructions.
const CALL: f64 = 60.0;
/// What entering compiled code and coming back takes, all in nanoseconds.
const ENTRY: f64 = 120.0;
/// Calls within calls that are looked at.
const DEPTH: usize = 6;
/// Of the instructions of a loop or function so much are run each time: branches leave out some.
const RUN: f64 = 0.7;
/// Trips of a loop that never ended yet.
const TRIPS: f64 = 8.0;

impl Program {
    /// An estimate of the time that tier 0 takes for one run of the region.
    pub fn interpreted(&self) -> Duration {
        Duration::from_nanos(self.unit_cost(0, DEPTH) as u64)
    }

    /// Whether it may be that compiled code takes less time than tier 0, where it is entered once for a run.
    pub fn may_pay(&self) -> bool {
        self.unit_cost(0, DEPTH) > ENTRY
    }

    fn unit_cost(&self, at: usize, depth: usize) -> f64 {
        let Some(unit) = self.units.get(at) else {
            return 0.0;
        };
        let trips = trips_by_instruction(unit);
        let inside = |pc: usize| unit.inside.get(pc) == Some(&true);
        let own: f64 = (0..unit.inside.len())
            .filter(|pc| inside(*pc))
            .map(|pc| trips.get(pc).copied().unwrap_or(1.0))
            .sum();
        let mut cost = own * INSTRUCTION * RUN;
        let mut seen = vec![false; unit.inside.len()];
        let calls = unit.blocks.iter().flat_map(|block| &block.calls);
        for (pc, callee) in calls {
            let place = *pc as usize;
            let callee = match callee {
                Callee::Unit(unit, _)
                | Callee::Operator { unit, .. }
                | Callee::Make { unit, .. } => *unit,
                _ => continue,
            };
            if depth == 0 || std::mem::replace(seen.get_mut(place).unwrap_or(&mut true), true) {
                continue;
            }
            let times = trips.get(place).copied().unwrap_or(1.0) * RUN;
            cost += times * (CALL + self.unit_cost(callee, depth - 1));
        }
        cost
    }
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
