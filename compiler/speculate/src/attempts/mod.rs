//! Attempts: a region is converted again and again, each time with something relaxed, until nothing is missing.
//!
//! Names all layers.

mod attempt;

use janus_dialect::Passes;
use janus_interp::Interp;
use janus_plan::{NotConverted, ReasonId, Recursion, Refusal, RegionKind, Relax, in_loop};

use crate::attempts::attempt::Converted;
use crate::executor::Executor;
use crate::{Request, Speculation};

/// Converts a region.
///
/// # Errors
/// [`NotConverted`] names the construct and the line that kept it back.
pub fn speculate(vm: &mut Interp, request: &Request<'_>) -> Result<Speculation, NotConverted> {
    match convert(vm, request) {
        // What has no general form gets a special one, rather than none.
        Err(not)
            if !request.passes.has(Passes::SPECIALIZE) && not.reason() != ReasonId::TakesLong =>
        {
            tracing::debug!("specialised: {not}");
            let request = Request {
                passes: request.passes.with(Passes::SPECIALIZE),
                ..*request
            };
            convert(vm, &request)
        }
        done => done,
    }
}

fn convert(vm: &mut Interp, request: &Request<'_>) -> Result<Speculation, NotConverted> {
    let mut relaxations = request.relaxations.clone();
    let mut refused: Option<NotConverted> = None;
    // One whose guards are partly of attempts that came to nothing.
    let mut cluttered: Option<Box<Speculation>> = None;
    for _ in 0..MAX_RESTARTS {
        let request = Request {
            relaxations: &relaxations,
            ..*request
        };
        let converted = match Executor::new(vm, &request).convert() {
            Ok(converted) => converted,
            Err(not) if not.reason() == ReasonId::TakesLong => return Err(not),
            Err(_) if cluttered.is_some() => break,
            // What comes before the call that kept it back is worth a graph.
            Err(not) if not.computed && not.call.is_some() && refused.is_none() => {
                let end = |pc| end_before(request.kind, &request.code.code, pc);
                relaxations.apply(Relax::EndsBefore(not.call.and_then(end)));
                refused = Some(not);
                continue;
            }
            // Without graphs that invoke themselves it may take the recursion's calls in, or end before it.
            Err(not)
                if relaxations.recursion == Recursion::Inlined
                    || not.recursive && relaxations.recursion == Recursion::Invoked =>
            {
                let is_function = request.kind == RegionKind::Function;
                let recursion = match relaxations.recursion {
                    Recursion::Invoked if !is_function => Recursion::Inlined,
                    _ => Recursion::Apart,
                };
                tracing::debug!("recursion {recursion:?}: {not}");
                relaxations = request.relaxations.clone();
                relaxations.apply(Relax::Recursion(recursion));
                refused = None;
                continue;
            }
            // Lists whose items are rows are not changed, nor do their items leave.
            Err(not) if !relaxations.rows.is_empty() => {
                tracing::debug!("without rows: {not}");
                relaxations = request.relaxations.clone();
                relaxations.apply(Relax::NoRows);
                refused = None;
                continue;
            }
            Err(not) => return Err(refused.unwrap_or(not)),
        };
        match converted {
            Converted::Done(mut speculation, in_vain) => {
                speculation.plan.ends.clone_from(&refused);
                if cluttered.is_some() || in_vain.is_empty() {
                    return Ok(*speculation);
                }
                relaxations.apply(Relax::InVain(in_vain));
                cluttered = Some(speculation);
            }
            Converted::Again(relax) => _ = relaxations.apply(relax),
        }
    }
    if let Some(speculation) = cluttered {
        return Ok(*speculation);
    }
    let code = &request.code.code;
    Err(NotConverted::new(
        Refusal::new(ReasonId::KeepsChanging, "its own state keeps moving"),
        &code.filename,
        code.first_line,
    ))
}

/// Attempts after a region was found to move its own constants: each one relaxes more.
const MAX_RESTARTS: usize = 8;

/// Where the graph of a region ends that cannot contain the instruction at `pc`: there, or before the loop of the
/// region's own that it stands in.
fn end_before(kind: RegionKind, code: &janus_bytecode::Code, pc: u32) -> Option<u32> {
    use janus_bytecode::Opcode;
    let first = kind.loop_head(code).map_or(0, |own| own + 1);
    let op = |at: u32| code.instrs.get(at as usize).map(|i| i.op);
    let is_head = |at: &u32| matches!(op(*at), Some(Opcode::ForIter | Opcode::LoopHead));
    let mut around = (first..=pc).filter(is_head);
    match around.find(|&head| in_loop(code, head, pc)) {
        None => Some(pc),
        Some(head) if op(head) == Some(Opcode::LoopHead) => Some(head),
        // Before there is an iterator.
        Some(head) => head
            .checked_sub(1)
            .filter(|&at| op(at) == Some(Opcode::GetIter)),
    }
}
