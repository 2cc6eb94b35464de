//! The optimising passes, each with a switch.
//!
//! In: a selection such as `BASE,+cse,-fuse`. Out: [`Passes`], which the speculator, the pipelines
//! and LLVM's part ask what to do. Holds: this table is the one definition of the switches; what is
//! not in it is a part of the way to machine code and always runs.

use std::fmt::Write as _;
use std::str::FromStr;

/// Who has a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// A decision of the speculator.
    Speculate,
    /// The pipeline of this name.
    Pipeline(&'static str),
    /// LLVM.
    Llvm,
}

/// A pass with a switch.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What it is called on the command line and in the options of the pipelines.
    pub name: &'static str,
    /// Who has it.
    pub places: &'static [Where],
    /// One line for the list.
    pub summary: &'static str,
}

const GRAPH_OPT: Where = Where::Pipeline("janus-graph-opt");
const LINALG: Where = Where::Pipeline("janus-linalg");
const BUFFERS: Where = Where::Pipeline("janus-buffers");
const GPU: Where = Where::Pipeline("janus-gpu");
const LLVM: Where = Where::Pipeline("janus-llvm");

macro_rules! passes {
    ($($constant:ident = $name:literal in [$($place:expr),*], $summary:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($constant),* }
        /// All of them, in the order in which they run.
        pub const PASSES: &[Pass] = &[
            $(Pass { name: $name, places: &[$($place),*], summary: $summary }),*
        ];
        impl Passes {
            $(#[doc = $summary] pub const $constant: Passes = Passes(1 << Index::$constant as u32);)*
            /// Every pass.
            pub const ALL: Passes = Passes($(1 << Index::$constant as u32)|*);
        }
    };
}

passes! {
    UNROLL = "unroll" in [Where::Speculate],
        "loops of few known trips become straight-line code (off: frames, where they can be)";
    SPECIALIZE = "specialize" in [Where::Speculate],
        "ints, bools and extents that never moved are constants (off: read at each entry)";
    INLINE = "inline" in [GRAPH_OPT],
        "graphs that other graphs invoke are put in their place, unless they are recursive";
    CANONICALIZE = "canonicalize" in [GRAPH_OPT],
        "each op's own simplifications, and the removal of what nothing uses";
    FOLD = "fold" in [GRAPH_OPT],
        "what depends on constants only, through branches and loops too, is computed now";
    CSE = "cse" in [GRAPH_OPT, LINALG, BUFFERS, GPU],
        "equal computations are done once";
    LICM = "licm" in [GRAPH_OPT],
        "what no iteration changes is computed before the loop";
    DCE = "dce" in [GRAPH_OPT],
        "what no result depends on is removed";
    FUSE = "fuse" in [LINALG],
        "elementwise producers move into the loops that use them";
    CARRY = "carry-in-place" in [LINALG],
        "what a loop carries stays in one buffer";
    PARALLEL = "parallel" in [BUFFERS],
        "independent work and the pieces of long loops run at the same time, where it pays";
    COLLAPSE = "collapse" in [BUFFERS],
        "neighbouring dimensions of a loop nest become one";
    PLAN = "plan-buffers" in [BUFFERS],
        "temporaries share one arena, placed by their lifetimes";
    TREES = "trees" in [GPU],
        "long reductions of a device are trees (off: one thread's, in the CPU's order)";
    INTERLEAVE = "interleave" in [LLVM],
        "neighbouring sums are added up side by side";
    VECTORIZE = "vectorize" in [Where::Llvm],
        "loops use the machine's vectors";
}

/// Which passes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes(u32);

impl Default for Passes {
    fn default() -> Self {
        Passes::ALL
    }
}

impl Passes {
    /// Whether all of these run.
    #[must_use]
    pub fn has(self, other: Passes) -> bool {
        self.0 & other.0 == other.0
    }

    /// The same without these.
    #[must_use]
    pub const fn without(self, other: Passes) -> Passes {
        Passes(self.0 & !other.0)
    }

    /// The same with these.
    #[must_use]
    pub const fn with(self, other: Passes) -> Passes {
        Passes(self.0 | other.0)
    }

    fn named(name: &str) -> Option<Passes> {
        PASSES
            .iter()
            .position(|p| p.name == name)
            .map(|i| Passes(1 << i))
    }

    /// The names of those that do not run and that are in `place`.
    fn off(self, place: Where) -> Vec<&'static str> {
        PASSES
            .iter()
            .enumerate()
            .filter(|(i, p)| self.0 & (1 << i) == 0 && p.places.contains(&place))
            .map(|(_, p)| p.name)
            .collect()
    }

    /// A pipeline with the options that switch off what does not run.
    #[must_use]
    pub fn pipeline(self, name: &'static str) -> String {
        let off = self.off(Where::Pipeline(name));
        if off.is_empty() {
            name.to_owned()
        } else {
            format!("{name}{{off={}}}", off.join(","))
        }
    }

    /// What tells selections apart: the names of those that run.
    #[must_use]
    pub fn key(self) -> String {
        let on = PASSES.iter().enumerate();
        let on = on.filter(|(i, _)| self.0 & (1 << i) != 0);
        on.map(|(_, p)| p.name).collect::<Vec<_>>().join(",")
    }
}

/// A selection of passes by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name in the paper.
    pub name: &'static str,
    /// One line for the list.
    pub summary: &'static str,
    /// The passes; none where nothing is converted at all.
    pub passes: Option<Passes>,
}

const BASE: Passes = Passes::ALL
    .without(Passes::UNROLL)
    .without(Passes::SPECIALIZE)
    .without(Passes::PARALLEL);

/// The bars of the JANUS paper's Figure 7, each adding to the one before it.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "IMP",
        summary: "imperative: the interpreter alone",
        passes: None,
    },
    Preset {
        name: "BASE",
        summary: "graphs, without unroll, specialize and parallel",
        passes: Some(BASE),
    },
    Preset {
        name: "+UNRL",
        summary: "BASE and unroll",
        passes: Some(BASE.with(Passes::UNROLL)),
    },
    Preset {
        name: "+SPCN",
        summary: "+UNRL and specialize",
        passes: Some(Passes::ALL.without(Passes::PARALLEL)),
    },
    Preset {
        name: "+PARL",
        summary: "+SPCN and parallel: everything, which is the default",
        passes: Some(Passes::ALL),
    },
];

/// What was asked for on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The passes.
    pub passes: Passes,
    /// Nothing is converted: tier 0 alone.
    pub imperative: bool,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            passes: Passes::ALL,
            imperative: false,
        }
    }
}

/// A word that names neither a preset nor a pass.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// Unknown.
    #[error("no pass or preset '{0}'; `--passes list` shows them")]
    Unknown(String),
    /// A preset sets all passes, so it cannot follow a switch.
    #[error("the preset '{0}' must come first")]
    LatePreset(String),
    /// A pass without a sign.
    #[error("'{0}' is a pass: write +{0} or -{0}")]
    NoSign(String),
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let mut this = Selection::default();
        for (i, word) in text.split(',').map(str::trim).enumerate() {
            if let Some(preset) = PRESETS.iter().find(|p| p.name == word) {
                if i > 0 {
                    return Err(SelectionError::LatePreset(word.to_owned()));
                }
                this.passes = preset.passes.unwrap_or_default();
                this.imperative = preset.passes.is_none();
                continue;
            }
            let (sign, name) = word.split_at(word.len().min(1));
            let unknown = || SelectionError::Unknown(word.to_owned());
            let named = |name| Passes::named(name).ok_or_else(unknown);
            match sign {
                "+" => this.passes = this.passes.with(named(name)?),
                "-" => this.passes = this.passes.without(named(name)?),
                _ if Passes::named(word).is_some() => {
                    return Err(SelectionError::NoSign(word.to_owned()));
                }
                _ => return Err(unknown()),
            }
        }
        Ok(this)
    }
}

/// The list that `--passes list` prints.
#[must_use]
pub fn list() -> String {
    let mut text = String::from("Passes, in the order in which they run; all are on:\n");
    for p in PASSES {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:<15} {}", p.name, p.summary);
    }
    text.push_str("Presets, the bars of the JANUS paper's Figure 7:\n");
    for p in PRESETS {
        let _ = writeln!(text, "  {:<15} {}", p.name, p.summary);
    }
    text.push_str("--passes takes a preset, then switches: `-cse,-fuse`, `BASE,+unroll`\n");
    text
}
