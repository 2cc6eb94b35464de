//! What surrounds a graph: how to enter it, what to do when it is done, and why there is none.
//!
//! In: nothing. Out: the [`Plan`] and its parts, which `janus-speculate` makes and `janus-tiering` carries out. Always:
//! plain data, and what both of them have to compute in the same way.

mod arguments;
mod asserts;
mod at_entry;
mod commits;
mod departures;
mod nodes;
mod plan;
pub mod reason;
mod recipes;
mod refusal;
mod region;
mod relaxations;
pub mod rows;
mod text;
mod words;

pub use arguments::{GraphDraw, Load, PlannedDraw, PythonDraw};
pub use asserts::{Assertion, AssumedBranch, AssumptionKey};
pub use at_entry::{holds, int_op, plain_text};
pub use commits::{Commit, Exit, Wrote};
pub use departures::DeoptReason;
pub use nodes::{Check, Extent, Fold, Namespace, Node, NodeId, ScalarType, Step, TensorCheck};
pub use plan::{OwnGraph, Plan};
pub use reason::ReasonId;
pub use recipes::{
    Backward, Fresh, FunctionForm, GradName, History, Passed, Recipe, RecipeId, RowForm,
    TensorRecipe, TextPiece,
};
pub use refusal::{Cause, Defect, NotConverted, Refusal};
pub use region::{RegionKind, in_loop, innermost_loop, last_back_edge};
pub use relaxations::{InVain, Recursion, Relax, Relaxations};
pub use words::{check_in_words, describe_kind, value_in_words};
