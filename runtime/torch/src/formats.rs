//! The objects that say where elements lie: `torch.channels_last` and its kind, `torch.strided`.
//!
//! In: nothing. Out: Python objects by name, and back. Always: of each name there is one object.

use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};

use crate::objects::{classes, foreign};

/// What a `torch.memory_format` object holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryFormat {
    /// Row-major.
    Contiguous,
    /// As the operand lies.
    Preserve,
    /// Channels are the fastest of four dimensions.
    ChannelsLast,
    /// Channels are the fastest of five dimensions.
    ChannelsLast3d,
}

impl MemoryFormat {
    const ALL: [(MemoryFormat, &'static str); 4] = [
        (MemoryFormat::Contiguous, "contiguous_format"),
        (MemoryFormat::Preserve, "preserve_format"),
        (MemoryFormat::ChannelsLast, "channels_last"),
        (MemoryFormat::ChannelsLast3d, "channels_last_3d"),
    ];

    /// Its name in the module.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(f, _)| *f == self)
            .map_or("?", |(_, name)| name)
    }

    /// The dimensions from the slowest to the fastest one in memory, where that is not their own order.
    #[must_use]
    pub fn order(self) -> Option<&'static [usize]> {
        match self {
            MemoryFormat::ChannelsLast => Some(&[0, 2, 3, 1]),
            MemoryFormat::ChannelsLast3d => Some(&[0, 2, 3, 4, 1]),
            MemoryFormat::Contiguous | MemoryFormat::Preserve => None,
        }
    }
}

/// What a `torch.layout` object holds: its name.
#[derive(Clone, Copy, Debug)]
struct Layout(&'static str);

/// The layouts: that of ordinary tensors comes first.
const LAYOUTS: [&str; 7] = [
    "strided",
    "sparse_coo",
    "sparse_csr",
    "sparse_csc",
    "sparse_bsr",
    "sparse_bsc",
    "jagged",
];

/// Whether this asks for an ordinary tensor.
#[must_use]
pub fn is_strided(layout: &Value) -> bool {
    layout.foreign::<Layout>().is_none_or(|l| l.0 == LAYOUTS[0])
}

/// Whether this is a `torch.layout`.
#[must_use]
pub fn is_layout(v: &Value) -> bool {
    v.foreign::<Layout>().is_some()
}

/// Formats and layouts with their names in the module, made once.
pub fn named() -> Vec<(&'static str, Value)> {
    let c = classes();
    let mut out: Vec<(&'static str, Value)> = MemoryFormat::ALL
        .iter()
        .map(|&(format, name)| (name, foreign(&c.memory_format, format)))
        .collect();
    out.extend(
        LAYOUTS
            .iter()
            .map(|&name| (name, foreign(&c.layout, Layout(name)))),
    );
    out
}

fn name_of(args: Args<'_>) -> PyResult<&'static str> {
    let this = args.pos.first();
    let format = this
        .and_then(|v| v.foreign::<MemoryFormat>())
        .map(|f| f.name());
    let layout = || this.and_then(|v| v.foreign::<Layout>()).map(|l| l.0);
    format
        .or_else(layout)
        .ok_or_else(|| Raised::type_error("a torch.memory_format or torch.layout was expected"))
}

fn repr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(format!("torch.{}", name_of(args)?)))
}

/// A pickle has its name in the module.
fn reduce(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(name_of(args)?))
}

/// Methods of the class of memory formats.
pub const MEMORY_FORMAT: &[NativeDef] = &[
    NativeDef::method("memory_format.__repr__", repr),
    NativeDef::method("memory_format.__reduce__", reduce),
];

/// Methods of the class of layouts.
pub const LAYOUT: &[NativeDef] = &[
    NativeDef::method("layout.__repr__", repr),
    NativeDef::method("layout.__reduce__", reduce),
];
