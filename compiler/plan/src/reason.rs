//! The registry of reasons: why code is not in a higher tier, or left it.
//!
//! In: nothing. Out: [`Reason`]s: a stable id, a text, a hint; each has a page `docs/reasons/<id>.md`. Always: whoever
//! refuses says which reason it is; nothing is told by the words of a message.

use crate::departures::DeoptReason;

/// What a reason is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Compiled code was left.
    Departure,
    /// A region is not in tier 2.
    Refusal,
}

/// A reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What it is about.
    pub about: About,
    /// Stable name.
    pub id: &'static str,
    /// What happened.
    pub text: &'static str,
    /// What to do about it.
    pub hint: &'static str,
}

macro_rules! refusals {
    ($($name:ident $id:literal $text:literal $hint:literal,)*) => {
        /// Why a region is not in tier 2: the one table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ReasonId { $(#[doc = $text] $name,)* }

        impl ReasonId {
            /// Every reason.
            pub const ALL: &'static [ReasonId] = &[$(ReasonId::$name,)*];

            /// What the registry says of it.
            #[must_use]
            pub fn entry(self) -> Reason {
                let (id, text, hint) = match self { $(ReasonId::$name => ($id, $text, $hint),)* };
                Reason { about: About::Refusal, id, text, hint }
            }
        }
    };
}

refusals! {
    LibraryCode "library-code" "it is code of the library" "nothing to do: it is compiled with the code that calls it",
    CompilerError "compiler-error" "the compiler failed" "this is a bug in janus-jit: please report it with the script",
    Generator "generator" "a graph ends where a generator yields" "little is computed on tensors between two yields, or the yield is inside of a branch, a try or a with; the loop that consumes the items is compiled for itself",
    Coroutine "coroutine" "a coroutine keeps a frame of its own" "move the computation into a plain function",
    ClassBody "class-body" "a class body has names that anybody may change" "move the loop into a function",
    Exec "exec" "it runs text as code" "write the code down as a function, or make one from the text once and call that",
    CExtension "c-extension" "a module is imported that is in C, or is not there" "try the import once, before the hot code: what is in C is not loaded, and a failing import is tried anew each time",
    Import "import" "a module is imported" "import it before the hot code",
    Metaclass "metaclass" "a class that is made or called by a metaclass decides what a call of it does" "make the objects before the hot code",
    WouldRaise "would-raise" "the code as it is would raise" "an error that is raised in the profiled runs, or that a branch avoids, is left to tier 0; test for it before the hot code",
    Recursion "recursion" "it calls itself" "turn the recursion into a loop, or make the recursive part smaller",
    TooLarge "too-large" "there is too much of it" "move the inner loop, or a part of the body, into a function of its own",
    TakesLong "takes-long" "making a graph of it takes longer than it ran so far" "nothing to do: it is tried again when it has run for longer",
    NotFaster "not-faster" "its graph takes longer than the tiers below" "nothing to do: little is computed for each entry of it",
    OutsideIterator "outside-iterator" "an iterator that was made outside cannot be put back" "make the iterator inside the region, or loop over a list",
    KeepsChanging "keeps-changing" "what it relies on keeps changing" "what differs from entry to entry is named above; hold it constant, or split the code by it",
    LittleWork "little-work" "there is too little to do in it for a graph" "nothing to do: what is around it, or called from it, is compiled on its own",
    SharedMemory "shared-memory" "an operation may read memory that another tensor's elements were written to" "clone() one of them before the hot code",
    BranchSides "branch-sides" "the two sides of a branch do not fit together" "let both sides end alike: assign in the branch, and return or print after it",
    GradMode "grad-mode" "what needs a gradient is changed inside" "set requires_grad and enter no_grad() outside of the hot code",
    LoopState "loop-state" "what a loop carries from one iteration to the next has no fixed form" "give a variable one kind before the loop, and gather results in a tensor",
    TrainingLoop "training-loop" "a loop around a training step is not compiled as a whole" "nothing to do: the step inside of it is compiled, in each iteration",
    GradientOutside "gradient-outside" "a gradient is needed where the graph ends" "let the region hold the whole step: forward, backward() and the optimizer",
    GradientForm "gradient-form" "a gradient is taken in a way that graphs do not have" "call backward() once on the loss, outside of the loop that computed it; gradients of gradients, hooks and autograd.Function are best kept apart from branches and loops",
    RandomDraw "random-draw" "random numbers are drawn in a way that a graph cannot" "draw them before the hot code",
    ObjectLayout "object-layout" "a class decides for itself how its attributes are found" "read what the hot code needs into locals before it",
    MovingValue "moving-value" "a value that has to be known when compiling moves" "hold it constant, or use a tensor for it",
    ScalarsOnly "scalars-only" "it has no tensors, and the tier for scalars does not have it" "keep one type for each variable in hot code",
    NoGraphForm "no-graph-form" "a construct has no form in graphs" "move it out of the hot code, or write it with tensor operations; what is called from there is still compiled on its own",
    ExceptionFlow "exception-flow" "an exception takes a way that a graph does not have" "catch it in the function that raises it, outside of loops, or test for it before the hot code",
    EscapingObject "escaping-object" "an object made inside cannot be made where the region ends" "return its parts, or make it before the hot code",
    TextForm "text-form" "text is needed that only tier 0 can make" "show numbers, texts and tensors, and after the hot code what shows an address",
    SpecialMethod "special-method" "a class has a method of its own for what a built-in type does" "use a built-in type in hot code, or call the method by its name",
    OutsideList "outside-list" "a list, dict or set from outside may not be what it was" "copy it into a new one inside of the hot code, or do not change it there",
    GradientInPlace "gradient-in-place" "a tensor that gradients flow through is changed in place" "write the change as a new tensor, or make it under no_grad() outside of the hot code",
    ReducedFloat "reduced-float" "it computes in float16 or bfloat16" "nothing to do: tier 0 computes in float32 and rounds, as PyTorch does; what is float32 around it is compiled",
    RareDtype "rare-dtype" "it computes with complex numbers, or with uint16, uint32 or uint64" "nothing to do: tier 0 runs it; what has other dtypes around it is compiled",
    CallsEachOther "calls-each-other" "functions over objects call one another and themselves" "let one function call itself, with the others called from it",
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Reason> {
    let departures = DeoptReason::ALL.iter().map(|r| Reason {
        about: About::Departure,
        id: r.id(),
        text: r.text(),
        hint: r.hint(),
    });
    departures
        .chain(ReasonId::ALL.iter().map(|r| r.entry()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_fit_for_file_names() {
        let mut ids: Vec<&str> = all().iter().map(|r| r.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.iter().all(|id| {
            id.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        }));
    }
}
