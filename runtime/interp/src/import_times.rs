//! How long imports take, for `-X importtime` and `PYTHONPROFILEIMPORTTIME`.
//!
//! In: imports as they begin and end. Out: a line on standard error for each, as CPython writes it. Always: an import's own time is
//! without that of the imports that it makes.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::Settings;

/// The imports under way.
#[derive(Default)]
pub(crate) struct ImportTimes {
    depth: usize,
    has_header: bool,
    /// Time of the imports that the one under way has made.
    inner: Duration,
}

/// An import under way.
pub(crate) struct Began {
    at: Instant,
    /// [`ImportTimes::inner`] of the one around it.
    outer: Duration,
}

impl ImportTimes {
    /// Those of an interpreter with these settings; none unless they are wanted.
    pub fn wanted(settings: &Settings) -> Option<ImportTimes> {
        let wanted = settings.has_option("importtime")
            || settings.variable("PYTHONPROFILEIMPORTTIME").is_some();
        wanted.then(ImportTimes::default)
    }

    /// An import begins.
    pub fn begin(&mut self) -> Began {
        if !std::mem::replace(&mut self.has_header, true) {
            tell(format_args!(
                "import time: self [us] | cumulative | imported package"
            ));
        }
        self.depth += 1;
        Began {
            at: Instant::now(),
            outer: std::mem::take(&mut self.inner),
        }
    }

    /// It ended.
    pub fn end(&mut self, began: Began, module: &str) {
        let all = began.at.elapsed();
        let own = all.saturating_sub(self.inner);
        self.depth = self.depth.saturating_sub(1);
        self.inner = began.outer + all;
        let micros = |time: Duration| time.as_nanos().div_ceil(1000);
        tell(format_args!(
            "import time: {:9} | {:10} | {:indent$}{module}",
            micros(own),
            micros(all),
            "",
            indent = 2 * self.depth
        ));
    }
}

/// Writes a line to standard error; nobody reads it where that is closed.
fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
