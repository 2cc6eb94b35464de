//! What was measured, as it is kept.
//!
//! In: runs. Out: a JSON file, ratios. Always: version 1 keeps its fields; a ratio is `None` where the
//! outputs differ; a peer's run is compared with the runs of ours that came before and after it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::BenchError;
use crate::machine::Machine;
use crate::measure::Run;
use crate::peer::OURS;
use crate::spec::{Bench, Kind};
use crate::stat::{Spread, quantile};

/// All figures of one call of the harness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// 1
    pub version: u32,
    /// Seconds since 1970.
    pub started: u64,
    /// On what.
    pub machine: Machine,
    /// Rounds asked for.
    pub rounds: u32,
    /// Milliseconds that one and the same piece of work took, between the runs: what the machine itself varies by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes_ms: Vec<f64>,
    /// Who took part.
    pub peers: Vec<PeerInfo>,
    /// Who could not.
    pub skipped: Vec<Skipped>,
    /// By script.
    pub benches: Vec<BenchResult>,
}

/// A peer that took part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerInfo {
    /// Its name on the command line.
    pub id: String,
    /// Its name in reports.
    pub title: String,
    /// What it is.
    pub about: String,
    /// Its version.
    pub version: String,
}

/// A peer that could not take part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name on the command line.
    pub id: String,
    /// Why.
    pub why: String,
}

/// A script's figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchResult {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// By peer.
    pub entries: Vec<Entry>,
}

/// A script's figures with one peer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Entry {
    /// The peer.
    pub peer: String,
    /// The long runs, one a round.
    pub long: Vec<Run>,
    /// The short runs, one a round.
    pub short: Vec<Run>,
    /// Why there are no more.
    pub failure: Option<String>,
    /// Where its output differs from ours.
    pub differs: Option<String>,
    /// It does with its own random numbers, and does not with eager's.
    #[serde(default)]
    pub own_random: bool,
}

impl Entry {
    /// Median and spread of a figure of the long runs.
    #[must_use]
    pub fn long(&self, figure: fn(&Run) -> Option<f64>) -> Option<Spread> {
        Spread::of(self.long.iter().filter_map(figure))
    }

    /// The same of the short runs.
    #[must_use]
    pub fn short(&self, figure: fn(&Run) -> Option<f64>) -> Option<Spread> {
        Spread::of(self.short.iter().filter_map(figure))
    }
}

impl BenchResult {
    /// A peer's entry.
    #[must_use]
    pub fn entry(&self, peer: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.peer == peer)
    }

    /// How much faster we are than a peer: steady throughput where both have steps, else wall time. Where the two took
    /// turns it is that of [`Times::ratio`](crate::measure::Times::ratio), the median of the rounds.
    #[must_use]
    pub fn ratio(&self, peer: &str) -> Option<Spread> {
        let theirs = self.entry(peer).filter(|e| e.differs.is_none())?;
        let turns: Option<Vec<Spread>> = (theirs.long.iter())
            .map(|run| run.times.map(|times| times.ratio()))
            .collect();
        if let Some(rounds) = turns.filter(|rounds| !rounds.is_empty()) {
            return Spread::of_spreads(&rounds);
        }
        let ours = self.entry(OURS).filter(|_| peer != OURS)?;
        let rate = |run: &Run| run.steady.filter(|_| self.kind == Kind::Torch);
        let steps = |e: &Entry| e.long.iter().all(|run| rate(run).is_some());
        // One figure for all pairs: a run that was over too soon has no steady state.
        let both = steps(ours) && steps(theirs);
        let ratio = |ours: &Run, theirs: &Run| match (rate(ours), rate(theirs)) {
            (Some(a), Some(b)) if both => a / b,
            _ => theirs.wall_s / ours.wall_s,
        };
        Spread::of(theirs.long.iter().enumerate().filter_map(|(i, theirs)| {
            let beside = match theirs.beside {
                Some(at) => ours.long.get(at..)?.iter().take(2),
                // Of results that do not say it: the one of the same round.
                None => ours.long.get(i..)?.iter().take(1),
            };
            let ratios: Vec<f64> = beside.map(|ours| ratio(ours, theirs)).collect();
            // The geometric mean: both are as likely to be too high as too low.
            match ratios[..] {
                [one] => Some(one),
                [a, b] => Some((a * b).sqrt()),
                _ => None,
            }
        }))
    }
}

impl Results {
    /// Takes over what was measured before, for these results to go on from there.
    ///
    /// # Errors
    /// What is measured now cannot stand beside it; the message says why.
    pub fn go_on_from(&mut self, earlier: &Results) -> Result<(), String> {
        let (before, now) = (&earlier.machine, &self.machine);
        if (&before.cpu, before.cores) != (&now.cpu, now.cores) {
            return Err(format!(
                "measured on another machine: {}, {} cores",
                before.cpu, before.cores
            ));
        }
        for peer in &earlier.peers {
            match self.peers.iter().find(|p| p.id == peer.id) {
                None => self.peers.push(peer.clone()),
                Some(now) if now.version == peer.version => {}
                Some(now) => {
                    return Err(format!(
                        "measured with {}, not {}",
                        peer.version, now.version
                    ));
                }
            }
        }
        self.skipped
            .retain(|s| earlier.peers.iter().all(|p| p.id != s.id));
        self.rounds = self.rounds.max(earlier.rounds);
        self.started = earlier.started;
        self.probes_ms
            .splice(0..0, earlier.probes_ms.iter().copied());
        self.benches.clone_from(&earlier.benches);
        Ok(())
    }

    /// Whether a script has a round (from 0) of a peer, or the peer failed.
    #[must_use]
    pub fn has(&self, bench: &str, peer: &str, round: u32) -> bool {
        let bench = self.benches.iter().find(|b| b.name == bench);
        let entry = bench.and_then(|b| b.entry(peer));
        entry.is_some_and(|e| e.failure.is_some() || e.long.len() > round as usize)
    }

    /// A script's entry of a peer, which is made if there is none.
    pub fn entry_mut(&mut self, bench: &Bench, peer: &str) -> &mut Entry {
        let at = self.benches.iter().position(|b| b.name == bench.name);
        let at = at.unwrap_or_else(|| {
            self.benches.push(BenchResult {
                name: bench.name.clone(),
                kind: bench.kind,
                entries: Vec::new(),
            });
            self.benches.len() - 1
        });
        let entries = &mut self.benches[at].entries;
        let at = entries.iter().position(|e| e.peer == peer);
        let at = at.unwrap_or_else(|| {
            entries.push(Entry {
                peer: peer.to_owned(),
                ..Entry::default()
            });
            entries.len() - 1
        });
        &mut entries[at]
    }

    /// How much longer the same work took in the median, and in the worst twentieth, than at best: shares.
    #[must_use]
    pub fn noise(&self) -> Option<(f64, f64)> {
        let at = |share| quantile(&self.probes_ms, share).filter(|&ms| ms > 0.0);
        let best = at(0.0)?;
        Some((at(0.5)? / best - 1.0, at(0.95)? / best - 1.0))
    }

    /// The title of a peer.
    #[must_use]
    pub fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.peers
            .iter()
            .find(|p| p.id == id)
            .map_or(id, |p| &p.title)
    }

    /// Writes the file; what was there stays until the new content is complete.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), BenchError> {
        let mut text = serde_json::to_string(self).map_err(|e| BenchError::Content {
            path: path.to_owned(),
            message: e.to_string(),
        })?;
        text.push('\n');
        let mut fresh = path.as_os_str().to_owned();
        fresh.push(".new");
        std::fs::write(&fresh, text)
            .and_then(|()| std::fs::rename(&fresh, path))
            .map_err(BenchError::file("write", path))
    }

    /// Reads a file that [`Results::save`] wrote.
    ///
    /// # Errors
    /// It cannot be read, or is no such file.
    pub fn load(path: &Path) -> Result<Results, BenchError> {
        let text = std::fs::read_to_string(path).map_err(BenchError::file("read", path))?;
        let results: Results = serde_json::from_str(&text).map_err(|e| BenchError::Content {
            path: path.to_owned(),
            message: format!("not a result of janus-jit bench: {e}"),
        })?;
        if results.version == 1 {
            Ok(results)
        } else {
            Err(BenchError::Content {
                path: path.to_owned(),
                message: format!("version {} is not known", results.version),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BenchResult, Entry, PeerInfo, Results};
    use crate::machine::Machine;
    use crate::measure::{Run, Times};
    use crate::spec::Kind;

    fn entry(peer: &str, runs: &[(f64, Option<usize>)]) -> Entry {
        Entry {
            peer: peer.to_owned(),
            long: (runs.iter())
                .map(|&(rate, beside)| Run {
                    steady: Some(rate),
                    beside,
                    ..Run::default()
                })
                .collect(),
            ..Entry::default()
        }
    }

    #[test]
    fn results_go_on_where_they_were_broken_off() {
        let of = |benches, version: &str| Results {
            version: 1,
            started: 7,
            machine: Machine::default(),
            rounds: 1,
            probes_ms: vec![1.0],
            peers: vec![PeerInfo {
                id: "torch-1".to_owned(),
                title: String::new(),
                about: String::new(),
                version: version.to_owned(),
            }],
            skipped: Vec::new(),
            benches,
        };
        let bench = |name: &str, entries| BenchResult {
            name: name.to_owned(),
            kind: Kind::Torch,
            entries,
        };
        let failed = Entry {
            failure: Some("no".to_owned()),
            ..entry("torch-1", &[])
        };
        let ours = || entry("janus", &[(8.0, None)]);
        let earlier = of(
            vec![
                bench("whole", vec![ours(), entry("torch-1", &[(1.0, None)])]),
                bench("failed", vec![ours(), failed]),
                bench("begun", vec![ours(), entry("torch-1", &[])]),
            ],
            "1",
        );
        let mut now = of(Vec::new(), "1");
        now.go_on_from(&earlier).unwrap();
        let has = |name| now.has(name, "torch-1", 0);
        assert_eq!(
            ["whole", "failed", "begun", "new"].map(has),
            [true, true, false, false]
        );
        assert!(!now.has("whole", "torch-2", 0) && !now.has("whole", "torch-1", 1));
        assert_eq!((now.probes_ms.len(), now.peers.len()), (2, 1));
        let other = of(Vec::new(), "2").go_on_from(&earlier).unwrap_err();
        assert_eq!(other, "measured with 1, not 2");
    }

    #[test]
    fn where_they_took_turns_the_times_of_steps_count() {
        let round = |theirs| Run {
            steady: Some(1.0),
            times: Times::of(theirs, &[1.0; 5]),
            ..Run::default()
        };
        let rounds = [
            round(&[2.0, 4.0, 6.0, 9.0, 9.0]),
            round(&[3.0, 5.0, 6.0, 9.0, 9.0]),
        ];
        let theirs = Entry {
            long: rounds.to_vec(),
            ..entry("torch-1", &[])
        };
        let bench = BenchResult {
            name: "b".to_owned(),
            kind: Kind::Torch,
            entries: vec![entry("janus", &[(8.0, None)]), theirs],
        };
        let ratio = bench.ratio("torch-1").unwrap();
        assert_eq!([ratio.low, ratio.median, ratio.high], [2.0, 5.0, 6.0]);
    }

    #[test]
    fn a_ratio_is_to_the_runs_of_ours_before_and_after() {
        let ours = entry("janus", &[(8.0, None), (2.0, None), (9.0, None)]);
        let of = |theirs: Entry| BenchResult {
            name: "b".to_owned(),
            kind: Kind::Torch,
            entries: vec![ours.clone(), theirs],
        };
        let between = of(entry("torch-1", &[(1.0, Some(0))]));
        assert!((between.ratio("torch-1").unwrap().median - 4.0).abs() < 1e-9);
        let last = of(entry("torch-1", &[(3.0, Some(2))]));
        assert!((last.ratio("torch-1").unwrap().median - 3.0).abs() < 1e-9);
        // Results of before have a run of ours for each of theirs.
        let by_round = of(entry("torch-1", &[(4.0, None), (1.0, None)]));
        assert!((by_round.ratio("torch-1").unwrap().median - 2.0).abs() < 1e-9);
    }
}
