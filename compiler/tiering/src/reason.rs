//! Why code is not in a higher tier, or left it: the registry.
//!
//! In: nothing, or the words of a refusal. Out: [`Reason`]s: a stable id, a text, a hint; each has a page
//! `docs/reasons/<id>.md`. Always: every refusal has a reason; the first entry that has its words is its own.

use janus_plan::DeoptReason;

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
    ($($id:literal [$($part:literal),*] $text:literal $hint:literal,)*) => {
        /// Refusals, each with words of the message that tell it; the last one has none.
        const REFUSALS: &[(&[&str], Reason)] = &[$(
            (&[$($part),*], Reason { about: About::Refusal, id: $id, text: $text, hint: $hint }),
        )*];
    };
}

refusals! {
    "library-code" ["library code"] "it is code of the library" "nothing to do: it is compiled with the code that calls it",
    "compiler-error" ["compiler error", "the graph was refused", "a defect of tier 1", "the code generator failed"] "the compiler failed" "this is a bug in janus-jit: please report it with the script",
    "generator" ["generator"] "a graph ends where a generator yields" "little is computed on tensors between two yields, or the yield is inside of a branch, a try or a with; the loop that consumes the items is compiled for itself",
    "coroutine" ["coroutine", "await"] "a coroutine keeps a frame of its own" "move the computation into a plain function",
    "class-body" ["class body", "under exec"] "a class body has names that anybody may change" "move the loop into a function",
    "exec" ["exec", "eval has", "builtins.compile"] "it runs text as code" "write the code down as a function, or make one from the text once and call that",
    "c-extension" ["module in C"] "a module is imported that is in C, or is not there" "try the import once, before the hot code: what is in C is not loaded, and a failing import is tried anew each time",
    "import" ["import"] "a module is imported" "import it before the hot code",
    "metaclass" ["metaclass"] "a class that is made or called by a metaclass decides what a call of it does" "make the objects before the hot code",
    "would-raise" ["it would raise"] "the code as it is would raise" "an error that is raised in the profiled runs, or that a branch avoids, is left to tier 0; test for it before the hot code",
    "recursion" ["recursi"] "it calls itself" "turn the recursion into a loop, or make the recursive part smaller",
    "too-large" ["too large", "more than", " items", "something long", "too many"] "there is too much of it" "move the inner loop, or a part of the body, into a function of its own",
    "outside-iterator" ["iterator"] "an iterator that was made outside cannot be put back" "make the iterator inside the region, or loop over a list",
    "keeps-changing" ["keep changing", "keeps changing", "keeps moving", "keeps failing", "met too often"] "what it relies on keeps changing" "what differs from entry to entry is named above; hold it constant, or split the code by it",
    "little-work" ["too little is computed", "nothing is computed"] "there is too little to do in it for a graph" "nothing to do: what is around it, or called from it, is compiled on its own",
    "shared-memory" ["share memory", "elements that it writes"] "an operation may read memory that another tensor's elements were written to" "clone() one of them before the hot code",
    "branch-sides" ["side of a branch", "sides of a branch", "after a branch", "a branch decided"] "the two sides of a branch do not fit together" "let both sides end alike: assign in the branch, and return or print after it",
    "grad-mode" ["grad mode", "requires_grad"] "what needs a gradient is changed inside" "set requires_grad and enter no_grad() outside of the hot code",
    "loop-state" ["trip count moves", "inside a loop", "loop leaves values", "in a loop", "a list grows", "loop over", "a loop begins", "differ in kind", "changing extents"] "what a loop carries from one iteration to the next has no fixed form" "give a variable one kind before the loop, and gather results in a tensor",
    "gradient-outside" ["gradient", "backward"] "a gradient is needed where the graph ends" "let the region hold the whole step: forward, backward() and the optimizer",
    "random-draw" ["random numbers", "a draw"] "random numbers are drawn in a way that a graph cannot" "draw them before the hot code",
    "object-layout" ["__getattribute__", "descriptor", "__dict__", "super()", "isinstance"] "a class decides for itself how its attributes are found" "read what the hot code needs into locals before it",
    "moving-value" ["moves", "that move", "has to be constant", "a computed key", "that the graph computes"] "a value that has to be known when compiling moves" "hold it constant, or use a tensor for it",
    "scalars-only" ["tier 1", "values of different kinds meet", "globals keep changing"] "it has no tensors, and the tier for scalars does not have it" "keep one type for each variable in hot code",
    "no-graph-form" ["no graph form", "not convert", "has no result"] "a construct has no form in graphs" "move it out of the hot code, or write it with tensor operations; what is called from there is still compiled on its own",
    "unsupported" [] "something in it is not converted" "move it out of the hot code; the code around it is compiled on its own",
}

const UNSUPPORTED: Reason = REFUSALS[REFUSALS.len() - 1].1;

/// The reason of a refusal with these words.
#[must_use]
pub fn refusal(words: &str) -> Reason {
    REFUSALS
        .iter()
        .find(|(parts, _)| parts.iter().any(|p| words.contains(p)))
        .map_or(UNSUPPORTED, |(_, reason)| *reason)
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
    departures.chain(REFUSALS.iter().map(|(_, r)| *r)).collect()
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

    #[test]
    fn refusals_find_their_reason() {
        let cases = [
            ("a generator yields here", "generator"),
            ("it would raise: KeyError", "would-raise"),
            ("the two sides of a branch end differently", "branch-sides"),
            ("Yield has no graph form yet", "no-graph-form"),
            ("a loop in a class body or under exec", "class-body"),
            ("builtins.exec has no graph form yet", "exec"),
            ("an import inside hot code", "import"),
            (
                "an import of lxml, a module in C or none at all",
                "c-extension",
            ),
            ("something new", "unsupported"),
        ];
        for (words, id) in cases {
            assert_eq!(refusal(words).id, id, "{words}");
        }
    }
}
