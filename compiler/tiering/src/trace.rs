//! `--trace`: what ran when, in the format of Chrome's and Perfetto's viewers.
//!
//! In: spans and instants of the interpreter's thread and of the compile thread. Out: JSON. Always: a span
//! lies inside the one around it; the spans that no other is around cover the whole run, however many
//! there were to keep.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Spans inside of others that are kept; a hot loop makes millions.
const MOST: usize = 200_000;

/// The thread of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The interpreter and what it enters.
    Main = 1,
    /// The compile thread.
    Compile = 2,
}

/// What an event is about: the categories of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Before the script's first instruction, and after its last.
    Process,
    /// The script in tier 0, and whatever has no span of its own.
    Interpreter,
    /// A stay in tier 1's code.
    Tier1,
    /// A stay in tier 2, all of its parts.
    Tier2,
    /// Entry guards.
    Guard,
    /// A graph's code.
    Graph,
    /// A kernel or library call of a graph.
    Kernel,
    /// State updates.
    Commit,
    /// Making code, at any stage.
    Compile,
    /// Compiled code was left.
    Deopt,
}

impl What {
    /// The category in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::Process => "process",
            What::Interpreter => "interpreter",
            What::Tier1 => "tier1",
            What::Tier2 => "tier2",
            What::Guard => "guard",
            What::Graph => "graph",
            What::Kernel => "kernel",
            What::Commit => "commit",
            What::Compile => "compile",
            What::Deopt => "deopt",
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where.
    pub lane: Lane,
    /// Its kind.
    pub what: What,
    /// What it is called.
    pub name: String,
    /// Since the start of the process.
    pub at: Duration,
    /// How long; `None`: an instant.
    pub lasted: Option<Duration>,
    /// More about it.
    pub note: Option<String>,
}

#[derive(Debug, Default)]
struct Kept {
    events: Vec<Event>,
    dropped: u64,
}

/// A trace that is being recorded.
#[derive(Debug)]
pub struct Trace {
    start: Instant,
    kept: Mutex<Kept>,
}

impl Trace {
    /// Times count from `start`.
    #[must_use]
    pub fn new(start: Instant) -> Trace {
        Trace {
            start,
            kept: Mutex::default(),
        }
    }

    /// Something that began at `start` and is over now.
    pub fn span(&self, lane: Lane, what: What, name: &str, start: Instant) {
        self.lasted(lane, what, name, start, start.elapsed());
    }

    /// Something that began at `start` and took so long.
    pub fn lasted(&self, lane: Lane, what: What, name: &str, start: Instant, lasted: Duration) {
        self.push(lane, what, name, start, Some(lasted), None);
    }

    /// Something without duration.
    pub fn instant(&self, what: What, name: &str, note: String) {
        self.push(Lane::Main, what, name, Instant::now(), None, Some(note));
    }

    fn push(
        &self,
        lane: Lane,
        what: What,
        name: &str,
        start: Instant,
        lasted: Option<Duration>,
        note: Option<String>,
    ) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        let outermost = matches!(what, What::Process | What::Interpreter);
        if kept.events.len() >= MOST && !outermost {
            kept.dropped += 1;
            return;
        }
        let at = start.saturating_duration_since(self.start);
        kept.events.push(Event {
            lane,
            what,
            name: name.to_owned(),
            at,
            lasted,
            note,
        });
    }

    /// What was kept, in the order of the beginnings, and how many were not.
    #[must_use]
    pub fn events(&self) -> (Vec<Event>, u64) {
        let Ok(kept) = self.kept.lock() else {
            return (Vec::new(), 0);
        };
        let mut events = kept.events.clone();
        // Of two that begin together the longer one is around the other.
        events.sort_by(|a, b| a.at.cmp(&b.at).then(b.lasted.cmp(&a.lasted)));
        (events, kept.dropped)
    }

    /// The file.
    #[must_use]
    pub fn json(&self) -> Value {
        let (events, dropped) = self.events();
        let micros = |d: Duration| d.as_nanos() as f64 / 1e3;
        let thread = |lane: Lane, name: &str| json!({"ph": "M", "name": "thread_name", "pid": 1, "tid": lane as u32, "args": {"name": name}});
        let mut all = vec![
            json!({"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "janus-jit"}}),
            thread(Lane::Main, "interpreter and compiled code"),
            thread(Lane::Compile, "compiler"),
        ];
        all.extend(events.iter().map(|e| {
            let mut event = json!({
                "name": e.name, "cat": e.what.name(), "pid": 1, "tid": e.lane as u32, "ts": micros(e.at),
            });
            if let Some(fields) = event.as_object_mut() {
                match e.lasted {
                    Some(lasted) => {
                        fields.insert("ph".into(), "X".into());
                        fields.insert("dur".into(), micros(lasted).into());
                    }
                    None => {
                        fields.insert("ph".into(), "i".into());
                        fields.insert("s".into(), "t".into());
                    }
                }
                if let Some(note) = &e.note {
                    fields.insert("args".into(), json!({"note": note}));
                }
            }
            event
        }));
        json!({"displayTimeUnit": "ms", "traceEvents": all, "otherData": {"version": "1", "dropped": dropped.to_string()}})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inner_spans_are_dropped() {
        let start = Instant::now();
        let trace = Trace::new(start);
        for _ in 0..MOST + 5 {
            trace.lasted(
                Lane::Main,
                What::Guard,
                "g",
                start,
                Duration::from_micros(1),
            );
        }
        trace.span(Lane::Main, What::Interpreter, "script", start);
        let (events, dropped) = trace.events();
        assert_eq!((events.len(), dropped), (MOST + 1, 5));
        // It is around the others, so it comes first.
        assert_eq!(events[0].what, What::Interpreter);
        let json = trace.json();
        assert_eq!(json["otherData"]["dropped"], "5");
        assert_eq!(json["traceEvents"][3]["ph"], "X");
    }
}
