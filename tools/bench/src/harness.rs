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
    /// What was measured before, to go on from.
    pub earlier: Option<Results>,
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
/// Results cannot be saved, or those of before are not of this machine and these peers; what was saved is kept.
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
    if let Some(earlier) = &request.earlier {
        let path = request.save.clone().unwrap_or_default();
        let other = |message| BenchError::Content { path, message };
        results.go_on_from(earlier).map_err(other)?;
    }
    let turns = request.benches.iter().map(|b| {
        let peers = present.iter().filter(|p| p.runs(b)).count() as u64;
        peers * u64::from(request.rounds)
    });
    let bar = progress(turns.sum(), request.quiet);
    for bench in &request.benches {
        let taking_part: Vec<&'static Peer> =
            present.iter().copied().filter(|p| p.runs(bench)).collect();
        let ids: Vec<&str> = taking_part.iter().map(|p| p.id).collect();
        if results.complete(&bench.name, &ids) {
            bar.inc(ids.len() as u64 * u64::from(request.rounds));
            continue;
        }
        // What was begun begins anew.
        results.benches.retain(|b| b.name != bench.name);
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
            let before = our_place.and_then(|place| entries[place].long.len().checked_sub(1));
            let is_ours = our_place == Some(i);
            // Ours behind another peer is for what wall times are compared of.
            let again = round.is_none();
            if again && entries[i].long.last().is_some_and(|run| counts(bench, run)) {
                continue;
            }
            let number = round.unwrap_or_default();
            bar.set_message(format!(
                "{} {} ({}/{})",
                bench.name,
                peer.id,
                number + 1,
                request.rounds
            ));
            let beside = our_place.filter(|_| !is_ours).and_then(|place| {
                let run = entries[place].long.last()?;
                counts(bench, run).then_some((taking_part[place], run.steps))
            });
            let entry = &mut entries[i];
            let turn = Turn {
                request,
                bench,
                peer,
                round: number,
                beside,
                again,
            };
            let output = turn.take(entry);
            bar.inc(u64::from(!again));
            if is_ours {
                if !again {
                    ours = Some(output);
                }
            } else {
                if let Some(run) = entry.long.last_mut() {
                    run.beside = run.beside.or(before);
                }
                if let (Some(ours), None, false) = (&ours, &entry.differs, entry.own_random) {
                    entry.differs = differs(ours, &output);
                    entry.own_random =
                        entry.differs.is_some() && turn.agrees_with_eager_random(ours);
                    if entry.own_random {
                        entry.differs = None;
                    }
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

/// Whether peers take turns with a run of ours, by its steps.
fn counts(bench: &Bench, ours: &Run) -> bool {
    bench.kind == Kind::Torch && ours.steps > 0.0
}

/// Whose turn it is, one after the other: in each round all peers, ours first; and ours again behind each other one,
/// which belongs to no round. Behind the last of a round that is the next round's.
fn order(
    rounds: u32,
    peers: usize,
    ours: Option<usize>,
) -> impl Iterator<Item = (Option<u32>, usize)> {
    let others = move || (0..peers).filter(move |&i| Some(i) != ours);
    let last = others().next_back();
    (0..rounds).flat_map(move |round| {
        let first = ours.map(|i| (Some(round), i));
        first.into_iter().chain(others().flat_map(move |i| {
            let behind = ours.filter(|_| Some(i) != last || round + 1 == rounds);
            [Some((Some(round), i)), behind.map(|i| (None, i))]
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
#[derive(Clone, Copy)]
struct Turn<'a> {
    request: &'a Request,
    bench: &'a Bench,
    peer: &'a Peer,
    round: u32,
    /// Ours, to take turns with, and how many steps it does.
    beside: Option<(&'a Peer, f64)>,
    /// It is ours behind another peer, which belongs to no round.
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
        let short = bench.short.as_ref().filter(|_| !self.again);
        let short = short.map(|args| (Length::Short, args));
        let lengths = [(Length::Long, &bench.long)].into_iter().chain(short);
        for (length, args) in lengths {
            if entry.failure.is_some() {
                break;
            }
            // Fills the cache; a failure will show again. Ours stays in its second run for what its first one was over
            // before, and its graphs may depend on a script's arguments; those of others do not.
            let warming = match (length, self.peer.is_ours()) {
                (Length::Long, false) if entry.long.is_empty() => 1,
                (Length::Long, true) if entry.long.is_empty() => 2,
                (Length::Short, true) if entry.short.is_empty() => 2,
                _ => 0,
            };
            for _ in 0..if self.peer.warms() { warming } else { 0 } {
                let _ = self.once(args, "warm", None);
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

    /// Whether a peer with random numbers of its own prints what ours does once it takes eager's.
    fn agrees_with_eager_random(&self, ours: &Output) -> bool {
        let same = self.peer.with_eager_random();
        let (Some(peer), Some(args)) = (&same, &self.bench.short) else {
            return false;
        };
        let turn = Turn { peer, ..*self };
        let printed = turn.once(args, "eager-random", None);
        match (printed, &ours.short) {
            (Ok((_, theirs)), Some(ours)) => difference(&theirs, ours).is_none(),
            _ => false,
        }
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
        let (first, second) = (Some(0), Some(1));
        let expected = [
            vec![(first, 0), (first, 1), (None, 0), (first, 2)],
            vec![(second, 0), (second, 1), (None, 0), (second, 2), (None, 0)],
        ];
        assert_eq!(turns, expected.concat());
        let without: Vec<_> = order(2, 2, None).collect();
        assert_eq!(
            without,
            [(Some(0), 0), (Some(0), 1), (Some(1), 0), (Some(1), 1)]
        );
    }
}
