//! Runs everything, in turns.
//!
//! In: benches, peers, rounds. Out: [`Results`], saved after every turn. Always: a peer that
//! fails or whose output differs stops no other; in a round each peer runs once, in turns with ours where steps are
//! counted, else between two runs of ours, so that what the machine does meanwhile shows on both sides.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};

use crate::compare::difference;
use crate::machine::{self, Machine};
use crate::measure::Run;
use crate::peer::{OURS, Peer, Tools};
use crate::results::{BenchResult, Entry, PeerInfo, Results, Skipped};
use crate::spec::{Bench, Kind};
use crate::{BenchError, duel, lines, process};

/// What to do.
pub struct Request {
    /// The scripts.
    pub benches: Vec<Bench>,
    /// Who takes part.
    pub peers: Vec<&'static Peer>,
    /// They were asked for by name.
    pub asked: bool,
    /// Where tools are.
    pub tools: Tools,
    /// Rounds.
    pub rounds: u32,
    /// Where results are kept as they come.
    pub save: Option<PathBuf>,
    /// Show no progress.
    pub quiet: bool,
}

/// What a run printed, as far as it must be equal everywhere.
struct Output {
    long: Option<String>,
    short: Option<String>,
}

/// One of the two lengths of a run.
#[derive(Clone, Copy, PartialEq)]
enum Length {
    Long,
    Short,
}

/// Measures everything.
///
/// # Errors
/// Results cannot be saved; what was saved before is kept.
pub fn run(request: &Request) -> Result<Results, BenchError> {
    let mut results = Results {
        version: 1,
        started: SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |d| d.as_secs()),
        machine: Machine::here(),
        rounds: request.rounds,
        probes_ms: probes(),
        peers: Vec::new(),
        skipped: Vec::new(),
        benches: Vec::new(),
    };
    let mut present = Vec::new();
    for &peer in &request.peers {
        if !request.benches.iter().any(|b| peer.runs(b)) {
            if request.asked {
                results.skipped.push(Skipped {
                    id: peer.id.into(),
                    why: "it has none of these scripts".to_owned(),
                });
            }
            continue;
        }
        match peer.probe(&request.tools) {
            Ok(version) => {
                results.peers.push(PeerInfo {
                    id: peer.id.into(),
                    title: peer.title.into(),
                    about: peer.about.into(),
                    version,
                });
                present.push(peer);
            }
            Err(why) => results.skipped.push(Skipped {
                id: peer.id.into(),
                why,
            }),
        }
    }
    let turns = request.benches.iter().map(|b| {
        let peers = present.iter().filter(|p| p.runs(b)).count() as u64;
        peers * u64::from(request.rounds)
    });
    let bar = progress(turns.sum(), request.quiet);
    for bench in &request.benches {
        let taking_part: Vec<&'static Peer> =
            present.iter().copied().filter(|p| p.runs(bench)).collect();
        let entries = taking_part
            .iter()
            .map(|p| Entry {
                peer: p.id.into(),
                ..Entry::default()
            })
            .collect();
        results.benches.push(BenchResult {
            name: bench.name.clone(),
            kind: bench.kind,
            entries,
        });
        let at = results.benches.len() - 1;
        let our_place = taking_part.iter().position(|p| p.id == OURS);
        let mut ours: Option<Output> = None;
        for (round, i) in order(request.rounds, taking_part.len(), our_place) {
            let peer = taking_part[i];
            let Some(entries) = results.benches.get_mut(at).map(|b| &mut b.entries) else {
                continue;
            };
            let before = our_place.map(|place| Beside::of(&entries[place]));
            let is_ours = our_place == Some(i);
            let number = round.unwrap_or_default();
            bar.set_message(format!(
                "{} {} ({}/{})",
                bench.name,
                peer.id,
                number + 1,
                request.rounds
            ));
            let beside = our_place.filter(|_| !is_ours).and_then(|place| {
                let steps = entries[place].long.last()?.steps;
                (bench.kind == Kind::Torch && steps > 0.0).then_some((taking_part[place], steps))
            });
            let entry = &mut entries[i];
            let turn = Turn {
                request,
                bench,
                peer,
                round: number,
                beside,
                again: round.is_none(),
            };
            let output = turn.take(entry);
            bar.inc(u64::from(round.is_some()));
            if is_ours {
                if round.is_some() {
                    ours = Some(output);
                }
            } else {
                let fresh = [
                    (&mut entry.long, Length::Long),
                    (&mut entry.short, Length::Short),
                ];
                for (runs, length) in fresh {
                    if let (Some(run), Some(before)) = (runs.last_mut(), &before) {
                        run.beside = run.beside.or(before.last(length));
                    }
                }
                if let (Some(ours), None) = (&ours, &entry.differs) {
                    entry.differs = differs(ours, &output);
                }
            }
            results.probes_ms.extend(probes());
            if let Some(path) = &request.save {
                results.save(path)?;
            }
        }
    }
    bar.finish_and_clear();
    Ok(results)
}

/// How long the same work takes now, some times one after the other.
fn probes() -> Vec<f64> {
    let rounded = |ms: f64| (ms * 1e3).round() / 1e3;
    (0..PROBES).map(|_| rounded(machine::probe())).collect()
}

/// Probes of the machine behind each turn.
const PROBES: usize = 8;

/// Seconds that a turn's runs take together before it is over.
const TURN_S: f64 = 4.0;
/// Runs of a turn at most.
const REPEATS: usize = 9;

/// How many runs of ours there were when a peer's turn came.
#[derive(Clone, Copy)]
struct Beside {
    long: usize,
    short: usize,
}

impl Beside {
    fn of(ours: &Entry) -> Beside {
        Beside {
            long: ours.long.len(),
            short: ours.short.len(),
        }
    }

    fn last(&self, length: Length) -> Option<usize> {
        match length {
            Length::Long => self.long.checked_sub(1),
            Length::Short => self.short.checked_sub(1),
        }
    }
}

/// Whose turn it is, one after the other: in each round all peers, ours first; and ours again behind each other one,
/// which belongs to no round.
fn order(
    rounds: u32,
    peers: usize,
    ours: Option<usize>,
) -> impl Iterator<Item = (Option<u32>, usize)> {
    (0..rounds).flat_map(move |round| {
        let others = (0..peers).filter(move |&i| Some(i) != ours);
        let first = ours.map(|i| (Some(round), i));
        first.into_iter().chain(others.flat_map(move |i| {
            [Some((Some(round), i)), ours.map(|i| (None, i))]
                .into_iter()
                .flatten()
        }))
    })
}

fn progress(runs: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    // It is drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(runs);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} (left: {eta}) {msg}")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn differs(ours: &Output, theirs: &Output) -> Option<String> {
    let pairs = [(&ours.long, &theirs.long), (&ours.short, &theirs.short)];
    pairs.iter().find_map(|pair| match pair {
        (Some(a), Some(b)) => difference(b, a),
        _ => None,
    })
}

/// One peer's turn in a round.
struct Turn<'a> {
    request: &'a Request,
    bench: &'a Bench,
    peer: &'a Peer,
    round: u32,
    /// Ours, to take turns with, and how many steps it does.
    beside: Option<(&'a Peer, f64)>,
    /// It is ours behind another peer: only for what wall times are compared of.
    again: bool,
}

impl Turn<'_> {
    fn take(&self, entry: &mut Entry) -> Output {
        let mut output = Output {
            long: None,
            short: None,
        };
        let bench = self.bench;
        let torch = bench.kind == Kind::Torch;
        let mut lengths = Vec::new();
        // Where steps are counted, peers took turns with it.
        let counted = torch && entry.long.last().is_some_and(|run| run.steps > 0.0);
        if !(self.again && counted) {
            lengths.push((Length::Long, &bench.long));
        }
        lengths.extend(bench.short.as_ref().map(|args| (Length::Short, args)));
        for (length, args) in lengths {
            if entry.failure.is_some() {
                break;
            }
            if entry.long.is_empty() && length == Length::Long && self.peer.warms() {
                // Fills the cache; a failure will show again. Ours stays in its second run for what its first one
                // was over before.
                for _ in 0..if self.peer.is_ours() { 2 } else { 1 } {
                    let _ = self.once(args, "warm", None);
                }
            }
            let (what, by, beside): (_, fn(&Run) -> f64, _) = match length {
                Length::Long if torch => ("long", Run::steady_s, self.beside),
                Length::Long => ("long", Run::wall_s, None),
                Length::Short => ("short", Run::wall_s, None),
            };
            let name = format!("{}-{}-{what}", bench.name, self.round);
            match steadied(by, |again| {
                self.once(args, &format!("{name}-{again}"), beside)
            }) {
                Ok((run, text)) => {
                    let (runs, printed) = match length {
                        Length::Long => (&mut entry.long, &mut output.long),
                        Length::Short => (&mut entry.short, &mut output.short),
                    };
                    runs.push(run);
                    *printed = Some(text);
                }
                Err(why) => entry.failure = Some(why),
            }
        }
        output
    }

    /// One run, alone or beside ours.
    fn once(
        &self,
        args: &[String],
        name: &str,
        beside: Option<(&Peer, f64)>,
    ) -> Result<(Run, String), String> {
        let (tools, bench) = (&self.request.tools, self.bench);
        let stats = tools.work.join("stats.json");
        let mut command: Command = self.peer.command(tools, bench, args, name, &stats);
        let limit = Duration::from_secs(bench.limit_s);
        let load = machine::load();
        let ran = match beside {
            None => process::run(&mut command, limit).map(|finished| (finished, Vec::new())),
            Some((ours, steps)) => {
                let elsewhere = tools.work.join("beside.json");
                let mut ours = ours.command(tools, bench, args, name, &elsewhere);
                duel::run(&mut command, &mut ours, steps, limit)
            }
        };
        let (finished, pairs) = ran.map_err(|e| e.to_string())?;
        if let Some(why) = finished.failure {
            return Err(why);
        }
        let mut run = Run::of(&finished, load);
        run.pairs = pairs;
        if self.peer.is_ours() {
            run.compile_s = compile_time(&stats);
        }
        Ok((
            run,
            lines::comparable(&finished.lines, bench.compared_steps),
        ))
    }
}

/// One run, or of several short ones that in the middle, by the seconds of `by`: what disturbs a machine for a moment
/// is a larger part of a short run.
fn steadied(
    by: fn(&Run) -> f64,
    mut once: impl FnMut(usize) -> Result<(Run, String), String>,
) -> Result<(Run, String), String> {
    let mut runs = vec![once(0)?];
    let seconds = |runs: &[(Run, String)]| runs.iter().map(|(run, _)| run.wall_s).sum::<f64>();
    while runs.len() < REPEATS && seconds(&runs) < TURN_S {
        runs.push(once(runs.len())?);
    }
    runs.sort_by(|(a, _), (b, _)| by(a).total_cmp(&by(b)));
    Ok(runs.swap_remove(runs.len() / 2))
}

/// Seconds of compiling, from `--stats`.
fn compile_time(stats: &std::path::Path) -> Option<f64> {
    let text = std::fs::read_to_string(stats).ok()?;
    let stats: serde_json::Value = serde_json::from_str(&text).ok()?;
    let compile = stats.get("compile")?;
    Some(compile.get("baseline_s")?.as_f64()? + compile.get("optimising_s")?.as_f64()?)
}

#[cfg(test)]
mod tests {
    use super::{order, steadied};
    use crate::measure::Run;

    #[test]
    fn of_short_runs_the_middle_one_counts() {
        let run = |seconds: f64, rate| Run {
            wall_s: seconds,
            steady: Some(rate),
            ..Run::default()
        };
        let of = |runs: &[Run], by| {
            let mut made = 0;
            let once = |again: usize| {
                made += 1;
                Ok((runs[again % runs.len()].clone(), again.to_string()))
            };
            let (_, text) = steadied(by, once).unwrap();
            (text, made)
        };
        // Until they took four seconds together.
        let short = [run(1.5, 10.0), run(1.6, 30.0), run(1.7, 20.0)];
        assert_eq!(of(&short, Run::steady_s), ("2".to_owned(), 3));
        assert_eq!(of(&short, Run::wall_s), ("1".to_owned(), 3));
        assert_eq!(of(&[run(9.0, 10.0)], Run::steady_s), ("0".to_owned(), 1));
        assert_eq!(of(&[run(0.1, 10.0)], Run::steady_s).1, 9);
    }

    #[test]
    fn ours_comes_first_and_behind_each_other() {
        let turns: Vec<_> = order(2, 3, Some(0)).collect();
        let round = |n| {
            let n = Some(n);
            [(n, 0), (n, 1), (None, 0), (n, 2), (None, 0)]
        };
        assert_eq!(turns, [round(0), round(1)].concat());
        let without: Vec<_> = order(2, 2, None).collect();
        assert_eq!(
            without,
            [(Some(0), 0), (Some(0), 1), (Some(1), 0), (Some(1), 1)]
        );
    }
}
