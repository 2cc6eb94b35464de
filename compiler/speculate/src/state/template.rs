//! How a loop carries a value.
//!
//! In: nothing. Out: [`Template`], the numbers and tensors that a value is made of. Always: a tensor's dtype and rank
//! do not change in a loop; extents that do have no number.

use std::rc::Rc;

use janus_object::{Class, Name, PyRef, types};
use janus_plan::ScalarType;
use janus_tensor::{DType, Device, Dim};

use crate::state::place::Place;
use crate::state::sym::{GradName, Leaf, Obj, Sym};

/// How a value is carried.
#[derive(Clone)]
pub(crate) enum Template {
    Scalar(ScalarType),
    Tensor(TensorTemplate),
    /// A list or tuple of these, or an object with such attributes.
    Sequence(SequenceForm, Vec<Template>),
    /// A list that grows.
    Grown(Box<GrownTemplate>),
    /// Of one of several kinds, in the order of `branches/variants.rs`: which of them is carried, too.
    Either(Vec<Template>),
    /// It does not change.
    Same(Sym),
}

/// Which kind of sequence a value is.
#[derive(Clone)]
pub(crate) struct SequenceForm {
    /// list, tuple, a subclass of tuple whose instance has no attributes (a `namedtuple`), or the class of an object.
    pub class: PyRef<Class>,
    /// Attributes of an object; of others there are none.
    pub names: Rc<[Name]>,
    /// The first iteration sees an object that others know, too.
    pub shared: bool,
}

impl SequenceForm {
    pub(crate) fn new(class: &PyRef<Class>) -> Self {
        SequenceForm {
            class: class.clone(),
            names: Rc::new([]),
            shared: false,
        }
    }

    pub(crate) fn class(&self) -> &PyRef<Class> {
        &self.class
    }

    pub(crate) fn is_list(&self) -> bool {
        PyRef::ptr_eq(&self.class, &types().list)
    }

    /// Whether another name of it can be told from an equal one: it can be changed.
    pub(crate) fn is_mutable(&self) -> bool {
        self.is_list() || !self.names.is_empty()
    }
}

#[derive(Clone)]
pub(crate) struct TensorTemplate {
    pub dtype: DType,
    pub device: Device,
    /// `None`: it moves from one iteration to the next.
    pub dims: Vec<Option<Dim>>,
    pub class: PyRef<Class>,
    pub requires_grad: bool,
    pub cut: bool,
    /// Leaves that all iterations use, or that the same condition from before the loop decides about.
    pub leaves: Vec<Leaf>,
    /// Leaves that each iteration uses, and what was there before the first one does not.
    pub later: Vec<Leaf>,
    /// Leaves that one iteration uses and another one does not: whether it is so is carried, too.
    pub decided: Vec<Leaf>,
    /// The first iteration sees an object that others know, too.
    pub shared: bool,
    /// A leaf that requires grad, written in place.
    pub leaf: bool,
    /// As the last iteration names it.
    pub grad_name: GradName,
    /// Tensors from before the loop that a later iteration may see under this name.
    pub parts: Vec<Obj>,
    /// A later iteration may see elements that do not lie row by row.
    pub scattered: bool,
    /// A later iteration may see an item of a list that grows.
    pub listed: bool,
    /// For a variable that may be something else, too: an iteration may see what has another name.
    pub named: bool,
}

impl Template {
    /// That of the item of lists and tuples to which `path` leads.
    pub(crate) fn at(&self, path: &[usize]) -> &Template {
        match (self, path) {
            (Template::Sequence(_, items), [i, rest @ ..]) => {
                items.get(*i).map_or(self, |t| t.at(rest))
            }
            _ => self,
        }
    }

    /// Whether only iterations use some leaf that items of a list depend on.
    pub(crate) fn has_late_rows(&self) -> bool {
        matches!(self, Template::Grown(t) if t.rows.iter().any(Template::is_late))
    }

    /// The leaves of a tensor of which it is carried, too, whether they are used.
    pub(crate) fn decided(&self) -> &[Leaf] {
        match self {
            Template::Tensor(t) => &t.decided,
            _ => &[],
        }
    }

    /// Whether there are such leaves in an item.
    pub(crate) fn has_decided(&self) -> bool {
        match self {
            Template::Sequence(_, items) => items.iter().any(Template::has_decided),
            item => !item.decided().is_empty(),
        }
    }

    /// Whether part of it is of one of several kinds.
    pub(crate) fn has_kinds(&self) -> bool {
        match self {
            Template::Either(_) => true,
            Template::Sequence(_, items) => items.iter().any(Template::has_kinds),
            _ => false,
        }
    }

    /// Whether only iterations use some leaf.
    pub(crate) fn is_late(&self) -> bool {
        match self {
            Template::Tensor(t) => !t.later.is_empty(),
            Template::Sequence(_, items) | Template::Either(items) => {
                items.iter().any(Template::is_late)
            }
            _ => false,
        }
    }

    /// Whether the first iteration sees an object that others know, too.
    pub(crate) fn is_shared(&self) -> bool {
        match self {
            Template::Tensor(t) => t.shared,
            Template::Sequence(form, items) => form.shared || items.iter().any(Template::is_shared),
            Template::Either(kinds) => kinds.iter().any(Template::is_shared),
            // What waits at first is none of its items.
            Template::Grown(t) => {
                t.skipped > 0 && t.waiting > 0 || t.rows.iter().any(Template::is_shared)
            }
            _ => false,
        }
    }
}

/// Whether something depends on leaves, and on each of them only sometimes.
pub(crate) fn none_is_certain(leaves: &[Leaf]) -> bool {
    !leaves.is_empty() && leaves.iter().all(|l| l.used.is_some())
}

/// How a loop carries a list that grows in it.
#[derive(Clone)]
pub(crate) struct GrownTemplate {
    /// Of an item.
    pub item: Template,
    /// Of the rows; made anew at each attempt.
    pub rows: Vec<Template>,
    /// Rows before the first item.
    pub skipped: i64,
    /// Items that wait from one iteration to the next.
    pub waiting: usize,
    /// Of each of those: other items may depend on other parameters.
    pub slots: Vec<Template>,
    /// Those that a variable carries, too: they are carried once, so that their gradient is one sum.
    pub shared: Vec<Option<Spot>>,
    /// Items that an iteration appends at most.
    pub added: Dim,
    /// It always appends as many.
    pub always: bool,
    /// Items may wait: there has always been an iteration.
    pub may_wait: bool,
    /// Some items require grad, and some do not.
    pub mixed: bool,
    /// Items are inserted before the others.
    pub turned: bool,
}

impl GrownTemplate {
    /// Of a list that gets `added` items at most, of which none waits.
    pub(crate) fn of(item: Template, added: Dim, mixed: bool) -> GrownTemplate {
        GrownTemplate {
            item,
            rows: Vec::new(),
            skipped: 0,
            waiting: 0,
            slots: Vec::new(),
            shared: Vec::new(),
            added,
            always: false,
            may_wait: false,
            mixed,
            turned: false,
        }
    }

    pub(crate) fn is_shared(&self, i: usize) -> bool {
        self.shared.get(i).is_some_and(Option::is_some)
    }
}

/// Where a variable has a tensor: itself, or in lists and tuples that are carried by their items.
#[derive(Clone, PartialEq)]
pub(crate) struct Spot {
    pub place: Place,
    /// The items that lead to it, from outside.
    pub path: Vec<usize>,
}

impl Spot {
    pub(crate) fn of(place: Place) -> Spot {
        Spot {
            place,
            path: Vec::new(),
        }
    }
}
