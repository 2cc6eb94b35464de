//! Why compiled code was left: the registry.
//!
//! In: nothing. Out: [`DeoptReason`]s, each with a stable id, a text and a hint. Always: each has a page
//! `docs/reasons/<id>.md`.

use std::fmt;

macro_rules! deopt_reasons {
    ($($name:ident $id:literal $text:literal $hint:literal,)*) => {
        /// Why compiled code was left: the one table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DeoptReason { $(#[doc = $text] $name,)* }

        impl DeoptReason {
            /// Every reason.
            pub const ALL: &'static [DeoptReason] = &[$(DeoptReason::$name,)*];
            /// Stable name, for the stats file.
            pub fn id(self) -> &'static str { match self { $(DeoptReason::$name => $id,)* } }
            /// What happened.
            pub fn text(self) -> &'static str { match self { $(DeoptReason::$name => $text,)* } }
            /// What the user can do about it, if it happens often.
            pub fn hint(self) -> &'static str { match self { $(DeoptReason::$name => $hint,)* } }
        }

        impl fmt::Display for DeoptReason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.text()) }
        }
    };
}

deopt_reasons! {
    BranchDirection "branch-direction" "a branch went the way it had never gone" "both ways are compiled from now on",
    TripCount "trip-count" "a loop ran another number of times" "the loop is compiled for any number from now on",
    ValueChanged "value-changed" "a value that had been constant changed" "it is read at every entry from now on",
    IdentityChanged "identity-changed" "a name or attribute refers to another object" "keep objects that hold parameters in place, or expect one more compile",
    TypeChanged "type-changed" "a value has another type" "keep one type for a variable in hot code",
    ClassChanged "class-changed" "a class, a method or a function was changed" "change classes and functions before the hot loop",
    LayoutChanged "layout-changed" "an object has other attributes than before" "set all attributes in __init__",
    LengthChanged "length-changed" "a list, tuple or dict has another length" "keep the items of a list whose length moves of one kind, and build changed lists anew",
    ShapeChanged "shape-changed" "a tensor has another shape" "the dimension that moved is compiled as `?` from now on",
    DtypeChanged "dtype-changed" "a tensor has another dtype" "keep one dtype in hot code",
    DeviceChanged "device-changed" "a tensor is on another device" "move tensors before the hot loop, and set the default device once",
    RequiresGradChanged "requires-grad-changed" "a tensor's requires_grad changed" "set requires_grad before the hot loop",
    HooksChanged "hooks-changed" "a tensor's gradient hooks were added or removed" "register hooks before the hot loop",
    DefaultDtypeChanged "default-dtype-changed" "torch.set_default_dtype was called" "set the default dtype once",
    GradModeChanged "grad-mode-changed" "grad mode is not what it was" "compiled separately for each grad mode",
    FunctionMode "function-mode" "a torch function mode is entered" "run hot code outside of a TorchFunctionMode",
    AliasFound "alias-found" "two tensors share memory and one is written" "clone one of them",
    MissingFound "missing-found" "an attribute, item or gradient is there that was not, or the reverse" "create state before the hot loop",
    ShapeMismatch "shape-mismatch" "two extents that had been equal differ" "tier 0 runs it and raises what PyTorch raises",
    IndexRange "index-range" "an index is out of range" "tier 0 runs it and raises what PyTorch raises",
    AutocastOn "autocast-on" "torch.autocast is on" "nothing to do: tier 0 runs it",
    IntOverflow "int-overflow" "an int does not fit into 64 bits" "tier 0 goes on with a big int",
    ArithmeticError "arithmetic-error" "an operation would raise (division by zero, domain)" "tier 0 runs it and raises",
    NotContiguous "not-contiguous" "whether a tensor is contiguous changed" "call contiguous() before the hot loop",
    CallDepth "call-depth" "a recursion went deeper than Python may" "tier 0 runs it and raises RecursionError where CPython does",
    ListRoom "list-room" "a list got more items than there was room for" "there is room for more of them from now on",
    ObjectMetTwice "object-met-twice" "a recursion that keeps state in its objects met one of them twice" "give each place of a tree an object of its own, or return the state",
    RareCode "rare-code" "control came to code that tier 1 leaves to tier 0" "move it out of the hot loop if that is frequent",
    Stress "stress" "made to fail by --stress" "none",
}
