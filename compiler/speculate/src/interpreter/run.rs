//! Running frames: the region's own, and those of callees that are inlined.
//!
//! In: the real frame at the region's entry. Out: the graph's results and the plan. Always: the symbolic frame is what
//! Python would see; nothing is written to real objects.

use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_dialect::ValueId;
use janus_object::{CodeObject, PyRef, Value};
use janus_plan::{Check, NotConverted, ReasonId, Refusal, RegionKind, ScalarType, Step};

use crate::emit::refusals::WORTH_A_GRAPH;
use crate::executor::Executor;
use crate::state::cfg;
use crate::state::running::{Active, Flow};
use crate::state::stop::reason_of;
use crate::state::sym::{HeapObject, Kind, Slot, Sym, SymCell, SymFrame, Unloaded};
use crate::{Res, Stop};

/// Inlined calls nested at most.
const DEPTH_BUDGET: usize = 60;

impl Executor<'_> {
    /// Makes the symbolic frame of the region from the real one. Reads no value.
    pub(crate) fn enter_region(&mut self, frame: &janus_interp::Frame) {
        let code = &frame.code.code;
        let index = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let unset = frame.locals.iter().enumerate();
        self.region.unset_locals = unset.filter(|(_, v)| v.is_none()).map(|(i, _)| i).collect();
        let locals = code
            .varnames
            .iter()
            .zip(&frame.locals)
            .enumerate()
            .map(|(i, (name, value))| match value {
                Some(value) => Slot::Unloaded(Unloaded {
                    step: Step::Local(index(i)),
                    value: value.clone(),
                    path: name.clone(),
                }),
                None => Slot::Empty,
            })
            .collect();
        let cells = frame
            .cells
            .iter()
            .enumerate()
            .map(|(i, cell)| {
                let name = code
                    .deref_name(index(i))
                    .cloned()
                    .unwrap_or_else(|| "cell".into());
                // Cell variables are made anew at each entry; free ones belong to the function.
                let content = match cell.value.borrow().as_ref() {
                    Some(value) => Slot::Unloaded(Unloaded {
                        step: Step::Cell(index(i)),
                        value: value.clone(),
                        path: name,
                    }),
                    None => Slot::Empty,
                };
                let cell = SymCell {
                    content,
                    written: false,
                    cell: Some(cell.clone()),
                };
                self.state.heap.push(HeapObject {
                    origin: None,
                    kind: Kind::Cell(cell),
                });
                let obj = self.state.heap.len() - 1;
                let address = PyRef::as_ptr(&frame.cells[i]) as usize;
                self.state.by_address.insert(address, obj);
                obj
            })
            .collect();
        // The loop's own iterator and what lies below it stay where they are; a `for` has just
        // pushed an item on top.
        let is_for = |head: u32| {
            let head = code.instrs.get(head as usize);
            head.is_some_and(|i| i.op == Opcode::ForIter)
        };
        let below = match (self.region.kind, self.region.loop_head) {
            (RegionKind::Loop { head }, _) => {
                frame.stack.len() - usize::from(is_for(head) && !frame.stack.is_empty())
            }
            (RegionKind::Rest { .. }, Some(head)) => {
                cfg::stack_depth(code, head).map_or(frame.stack.len(), |d| d as usize)
            }
            _ => 0,
        };
        self.region.below = frame.stack.iter().take(below).cloned().collect();
        let mut symbolic = SymFrame {
            code: frame.code.clone(),
            globals: frame.globals.clone(),
            namespace: frame.namespace.clone(),
            locals,
            written: indexmap::IndexSet::new(),
            cells,
            stack: Vec::new(),
            below: index(below),
            pc: frame.pc,
            gathers: None,
        };
        // Loaded when the region starts to run, where a refusal can be reported.
        for value in frame.stack.iter().skip(below) {
            symbolic.stack.push(match value {
                Some(value) => Sym::Known(value.clone()),
                None => Sym::Null,
            });
        }
        self.activate(&symbolic);
        self.region.frame = Some(symbolic);
    }

    fn activate(&mut self, frame: &SymFrame) {
        let code = &frame.code.code;
        let names = code.cellvars.iter().chain(&code.freevars);
        let class_cell = names
            .zip(&frame.cells)
            .find(|(n, _)| &***n == "__class__")
            .map(|(_, &c)| c);
        let arguments = frame.locals.iter().take(code.argcount as usize);
        let arguments = arguments.cloned().collect();
        self.calls.active.push(Active {
            code: frame.code.clone(),
            globals: frame.globals.clone(),
            pc: frame.pc,
            arguments,
            class_cell,
            context: self.emission.context,
            before: self.state.heap.len(),
            is_direct: std::mem::take(&mut self.calls.calls_directly),
        });
    }
    pub(crate) fn convert_inner(&mut self) -> Res<(Vec<ValueId>, janus_plan::Plan)> {
        let Some(mut frame) = self.region.frame.take() else {
            return self.defect("the region has no frame");
        };
        let is_loop = matches!(self.region.kind, RegionKind::Loop { .. });
        for i in 0..frame.stack.len() {
            let Sym::Known(value) = frame.stack[i].clone() else {
                continue;
            };
            let at = frame.below + u32::try_from(i).unwrap_or(0);
            let item = Unloaded {
                step: Step::Stack(at),
                value,
                path: if is_loop {
                    "item".into()
                } else {
                    format!("stack[{at}]").into()
                },
            };
            frame.stack[i] = match &item.value {
                // The loop variable moves by nature.
                value @ Value::Int(_) if is_loop => {
                    let value = value.clone();
                    let check = Check::Scalar(ScalarType::Int);
                    let node = self.node(item.step.clone(), check, &item.path);
                    let v = self.load_scalar(node, ScalarType::Int)?;
                    self.note_host(&v, node, &value);
                    v
                }
                _ => self.wrap(&item)?,
            };
        }
        let flow = match self.invoked_region(&mut frame)? {
            Some(flow) => flow,
            None => self.run(&mut frame, None)?,
        };
        if matches!(self.region.kind, RegionKind::Rest { .. }) && self.emission.computes == 0 {
            return self.refuse(
                ReasonId::LittleWork,
                "nothing is computed on tensors after the call",
            );
        }
        // A comprehension's body is entered once an item, and ends soon.
        let inside = self.region.code.code.name.starts_with('<')
            && &*self.region.code.code.name != "<module>";
        let worth = if inside { WORTH_A_GRAPH } else { 1 };
        if !self.region.below.is_empty() && self.emission.computes < worth {
            return self.refuse(ReasonId::LittleWork, "too little is computed for each item");
        }
        self.finish(frame, flow)
    }

    /// Why there is no graph, at the line at hand where that is not known yet.
    pub(crate) fn not_converted(&self, stop: Stop) -> NotConverted {
        match stop {
            Stop::Not(not) | Stop::Flag(_, not) | Stop::Undecided(not) => *not,
            Stop::Tensor(e) => {
                let reason = reason_of(&e);
                let detail = match reason {
                    ReasonId::WouldRaise => format!("it would raise: {e}"),
                    _ => e.to_string(),
                };
                self.located(Refusal::new(reason, detail))
            }
            Stop::Cause(cause) => self.located(cause),
            Stop::WhichItem => self.located(Refusal::new(
                ReasonId::MovingValue,
                "a list is indexed by an int that moves; it has no graph form yet",
            )),
            Stop::WhichKey(_) => self.located(Refusal::new(
                ReasonId::MovingValue,
                "a dict key that moves has no graph form yet",
            )),
            Stop::Again(_) => {
                self.located(Refusal::new(ReasonId::MovingValue, "its own state moves"))
            }
            Stop::Late => self.located(Refusal::new(
                ReasonId::TakesLong,
                "making a graph of it takes longer than it ran so far",
            )),
            Stop::Endless => self.located(Refusal::new(
                ReasonId::Recursion,
                "a recursion over objects without a way to its end",
            )),
            Stop::Raise(exception) => {
                let class = self.class_of(&exception).map(|c| c.display_name());
                let class = class.unwrap_or_else(|_| "an exception".to_owned());
                self.located(Refusal::new(
                    ReasonId::WouldRaise,
                    format!("it would raise {class}"),
                ))
            }
        }
    }

    pub(crate) fn post_dominator(&mut self, code: &PyRef<CodeObject>, pc: u32) -> Option<u32> {
        let all = self
            .calls
            .post_dominators
            .entry(PyRef::as_ptr(code))
            .or_insert_with(|| Rc::new(cfg::post_dominators(&code.code)));
        all.get(pc as usize).copied().flatten()
    }

    /// Runs an inlined frame to its return.
    pub(crate) fn run_inlined(&mut self, mut frame: SymFrame) -> Res<Sym> {
        match self.run_nested(&mut frame, None)? {
            Flow::Return(value) => Ok(value),
            _ => self.defect("a callee did not return"),
        }
    }

    /// Runs a frame above the active ones.
    pub(crate) fn run_nested(&mut self, frame: &mut SymFrame, stop: Option<u32>) -> Res<Flow> {
        if self.calls.active.len() >= DEPTH_BUDGET {
            return self.refuse(
                ReasonId::Recursion,
                "calls are nested too deeply to inline (recursion)",
            );
        }
        if !self
            .calls
            .inlined
            .iter()
            .any(|c| PyRef::ptr_eq(c, &frame.code))
        {
            self.calls.inlined.push(frame.code.clone());
        }
        self.activate(frame);
        let flow = self.run(frame, stop);
        // On failure the active frames tell where: `not_converted` reads them, so settle it here.
        let flow = flow.map_err(|stop| match stop {
            stop if !stop.is_refusal() => stop,
            stop => Stop::Not(Box::new(self.not_converted(stop))),
        });
        self.calls.active.pop();
        flow
    }
}
