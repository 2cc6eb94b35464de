//! The comparative harness.
//!
//! In: scripts, the tools that are to run them, a number of rounds. Out: [`results::Results`], shown as a table,
//! Markdown, JSON and one HTML page. Always: each run is a process of its own; in a round every
//! tool runs once, so that ratios are taken between neighbours in time; no ratio is given where the
//! outputs differ; what has been measured is on disk after every turn.

pub mod cli;
pub mod compare;
pub mod duel;
pub mod harness;
pub mod lines;
pub mod machine;
pub mod measure;
pub mod peer;
pub mod process;
pub mod quiet;
pub mod report;
pub mod results;
pub mod spec;
pub mod stat;

use std::path::PathBuf;

/// What is wrong with a request; the message is one line.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A name that is not known.
    #[error("no {what} is called '{name}'; there are {known}")]
    Unknown {
        /// What was asked for.
        what: &'static str,
        /// The name.
        name: String,
        /// What there is.
        known: String,
    },
    /// A file that cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// `read` or `write`.
        action: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file with other content than it should have.
    #[error("{}: {message}", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A process that could not be run.
    #[error("cannot run {command}: {source}")]
    Start {
        /// The program.
        command: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl BenchError {
    pub(crate) fn file(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.to_owned();
        move |source| BenchError::File {
            action,
            path,
            source,
        }
    }
}
