//! What is gathered where a region ends.
//!
//! In: nothing. Out: [`Out`], the recipes and commits so far, and the results of the graph that they use. Always: a recipe
//! is made once for each object.

use std::collections::{HashMap, HashSet};

use janus_dialect::ValueId;
use janus_plan::{Commit, Recipe, RecipeId};

use crate::state::sym::Obj;

/// Outputs that belong to commit ops are numbered behind all others, once their number is known.
pub(crate) const COMMIT: u32 = 1 << 31;

/// What is gathered while recipes are made.
#[derive(Default)]
pub(crate) struct Out {
    pub(crate) recipes: Vec<Recipe>,
    pub(crate) of_object: HashMap<Obj, RecipeId>,
    pub results: Vec<ValueId>,
    pub(crate) commits: Vec<Commit>,
    /// Operands of commit ops that are data, in slot order.
    pub(crate) committed: u32,
    pub(crate) slots: i64,
    pub(crate) token: Option<ValueId>,
    /// Tensors whose gradients come from outside, each with its output.
    pub live: Vec<(Obj, u32)>,
    /// Owners of the memory of views that are put on the tape when they are made.
    pub viewed: Vec<Obj>,
    /// Tensors of which a view became a tensor of its own, since they were not visible outside.
    pub(crate) copied: Vec<Obj>,
    /// Tensors that branches or loops decided on, for which a new tensor stands.
    pub(crate) taken: HashSet<Obj>,
    /// Tensors that leave the region.
    pub(crate) leaving: HashSet<Obj>,
    /// What lists from outside got, each as a new list.
    pub(crate) more: HashMap<Obj, RecipeId>,
    /// Functions whose recipes are being made.
    pub(crate) functions: Vec<Obj>,
    /// The region ends before a call, which may write to what it is given.
    pub(crate) before_call: bool,
}
