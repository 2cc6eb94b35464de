//! The symbolic executor: what an attempt works on.
//!
//! In: a [`Request`]. Out: nothing by itself; each layer has its part of what is done with it. Always: `self.state` is
//! what Python would see, `emission.builder` holds pure ops only; nothing is written to real objects.

use janus_interp::Interp;

use crate::Request;
use crate::branches::under_way::Branching;
use crate::emit::emission::Emission;
use crate::entry::entry_numbers::EntryNumbers;
use crate::entry::reads::Entry;
use crate::interpreter::under_way::Calls;
use crate::loops::under_way::Looping;
use crate::numbers::forms::IntForms;
use crate::recursion::under_way::Recursing;
use crate::state::region::Region;
use crate::state::sym::{Mode, State};
use crate::tensors::draws::Random;
use crate::tensors::known_extents::Extents;
use crate::tensors::layout::Layout;

/// An attempt at a region: its parts, each with the layer that it belongs to.
pub(crate) struct Executor<'v> {
    pub vm: &'v mut Interp,
    /// What Python would see.
    pub state: State,
    /// The region that is converted, and what is relaxed of it.
    pub region: Region<'v>,
    /// The graph so far, and where in it the next op goes.
    pub emission: Emission,
    /// What is read at entry so far.
    pub entry: Entry,
    /// Numbers of the graph that can be told at entry.
    pub entry_numbers: EntryNumbers,
    /// How ints and bools of the graph were computed from one another.
    pub ints: IntForms,
    /// Extents that are not known when a region is converted.
    pub extents: Extents,
    /// Random numbers that the region draws.
    pub random: Random,
    /// How elements of tensors from outside lie, as far as that was asked for.
    pub layout: Layout,
    /// Branches under way, and what attempts at them came to.
    pub branching: Branching,
    /// Loops under way, and which of them are no frames.
    pub looping: Looping,
    /// Frames under way.
    pub calls: Calls,
    /// Functions that are graphs of their own, and what the graph reads of objects.
    pub recursing: Recursing,
}

impl<'v> Executor<'v> {
    pub fn new(vm: &'v mut Interp, request: &Request<'v>) -> Self {
        let mut this = Executor {
            vm,
            state: State {
                mode: Mode {
                    grad_enabled: janus_tensor::autograd::is_grad_enabled(),
                    inference: janus_tensor::autograd::is_inference_mode(),
                    device: janus_tensor::Device::Cpu,
                },
                ..State::default()
            },
            region: Region::of(request),
            emission: Emission::of(request),
            entry: Entry::default(),
            entry_numbers: EntryNumbers::default(),
            ints: IntForms::default(),
            extents: Extents::default(),
            random: Random::default(),
            layout: Layout::default(),
            branching: Branching::default(),
            looping: Looping::default(),
            calls: Calls::default(),
            recursing: Recursing::default(),
        };
        this.looping
            .unframed
            .clone_from(&request.relaxations.unframed);
        this.enter_region(request.frame);
        this.begin_draws();
        this
    }
}
