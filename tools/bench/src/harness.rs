//! Runs everything, in turns.
//!
//! In: benches, peers, rounds. Out: [`Results`], saved after every turn. Always: a peer that
//! fails or whose output differs stops no other; in a round each peer runs each script once, in turns with ours where
//! steps are counted, else between two runs of ours, so that what the machine does meanwhile shows on both sides; a round
//! is over before the next one begins, so that what it does for minutes is only a part of a script's figures.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};

use crate::compare::difference;
use crate::machine::{self, Machine};
use crate::measure::Run;
use crate::peer::{OURS, Peer, Tools};
use crate::quiet::Cores;
use crate::results::{Entry, PeerInfo, Results, Skipped};
use crate::spec::{Bench, Kind};
use crate::stat::rounded;
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
    let cores = RefCell::new(Cores::watch());
    let mut results = Results {
        version: 1,
        started: SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |d| d.as_secs()),
        machine: Machine::here(),
        rounds: request.rounds,
        probes_ms: probes(&cores),
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
    let (ours, others): (Vec<&Peer>, Vec<&Peer>) = present.into_iter().partition(|p| p.id == OURS);
    let scripts: Vec<Script> = (request.benches.iter())
        .map(|bench| Script {
            request,
            cores: &cores,
            bench,
            ours: ours.iter().copied().find(|p| p.runs(bench)),
            others: others.iter().copied().filter(|p| p.runs(bench)).collect(),
        })
        .collect();
    let turns: u64 = scripts.iter().map(Script::turns).sum();
    let bar = progress(turns * u64::from(request.rounds), request.quiet);
    for round in 0..request.rounds {
        for script in &scripts {
            script.measure(round, &mut results, &bar)?;
        }
    }
    bar.finish_and_clear();
    Ok(results)
}

/// A script and who runs it.
struct Script<'a> {
    request: &'a Request,
    cores: &'a RefCell<Cores>,
    bench: &'a Bench,
    ours: Option<&'a Peer>,
    others: Vec<&'a Peer>,
}

impl Script<'_> {
    /// Turns in a round, not counting those of ours behind another peer.
    fn turns(&self) -> u64 {
        (self.others.len() + usize::from(self.ours.is_some())) as u64
    }

    /// What `results` lack of a round: ours first, then each other peer, and where wall times are compared ours again
    /// behind it.
    fn measure(
        &self,
        round: u32,
        results: &mut Results,
        bar: &ProgressBar,
    ) -> Result<(), BenchError> {
        let lacks = |peer: &&Peer| !results.has(&self.bench.name, peer.id, round);
        let others: Vec<&Peer> = self.others.iter().copied().filter(lacks).collect();
        let ours = self.ours.filter(|peer| !others.is_empty() || lacks(peer));
        let left = others.len() + usize::from(ours.is_some());
        bar.inc(self.turns() - left as u64);
        let begin = |peer: &Peer| {
            let (name, rounds) = (&self.bench.name, self.request.rounds);
            bar.set_message(format!("{name} {} ({}/{rounds})", peer.id, round + 1));
        };
        let turn = |peer, beside, again| Turn {
            script: self,
            peer,
            round,
            beside,
            again,
        };
        let mut printed = None;
        if let Some(ours) = ours {
            begin(ours);
            let entry = results.entry_mut(self.bench, ours.id);
            printed = Some(turn(ours, None, false).take(entry));
            self.over(results)?;
            bar.inc(1);
        }
        for peer in others {
            begin(peer);
            let before = ours.and_then(|ours| {
                let runs = &results.entry_mut(self.bench, ours.id).long;
                let last = runs.last()?;
                let steps =
                    (self.bench.kind == Kind::Torch && last.steps > 0.0).then_some(last.steps);
                Some((ours, runs.len() - 1, steps))
            });
            let beside = before.and_then(|(ours, _, steps)| Some((ours, steps?)));
            let this = turn(peer, beside, false);
            let entry = results.entry_mut(self.bench, peer.id);
            let output = this.take(entry);
            if let (Some(run), Some((_, at, _))) = (entry.long.last_mut(), before) {
                run.beside = Some(at);
            }
            if let Some(printed) = &printed {
                this.compare(entry, printed, &output);
            }
            self.over(results)?;
            bar.inc(1);
            if let Some((ours, _, None)) = before {
                turn(ours, None, true).take(results.entry_mut(self.bench, ours.id));
                self.over(results)?;
            }
        }
        Ok(())
    }

    /// Behind a turn: what the machine is like, and what there is goes to disk.
    fn over(&self, results: &mut Results) -> Result<(), BenchError> {
        results.probes_ms.extend(probes(self.cores));
        match &self.request.save {
            Some(path) => results.save(path),
            None => Ok(()),
        }
    }
}

/// Milliseconds that the same work takes now, some times one after the other.
fn probes(cores: &RefCell<Cores>) -> Vec<f64> {
    let mut cores = cores.borrow_mut();
    (0..PROBES).map(|_| rounded(cores.probe_ms())).collect()
}

/// Probes of the machine behind each turn.
const PROBES: usize = 8;

/// Seconds that a turn's runs take together before it is over.
const TURN_S: f64 = 4.0;
/// The same where wall times are compared, which is all that such runs are for.
const WALL_TURN_S: f64 = 10.0;
/// Runs of a turn at most.
const REPEATS: usize = 16;

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
    script: &'a Script<'a>,
    peer: &'a Peer,
    /// From 0.
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
        let bench = self.script.bench;
        let torch = bench.kind == Kind::Torch;
        let short = bench.short.as_ref().filter(|_| !self.again);
        let short = short.map(|args| (Length::Short, args));
        let lengths = [(Length::Long, &bench.long)].into_iter().chain(short);
        for (length, args) in lengths {
            if entry.failure.is_some() {
                break;
            }
            // Fills the cache; a failure will show again. Ours stays in its second run for what its first one was over
            // before, and its graphs may depend on a script's arguments; those of others do not, so a short run will do.
            let (warming, with) = match (length, self.peer.is_ours()) {
                (Length::Long, false) if entry.long.is_empty() => {
                    (1, bench.short.as_ref().unwrap_or(args))
                }
                (Length::Long, true) if entry.long.is_empty() => (2, args),
                (Length::Short, true) if entry.short.is_empty() => (2, args),
                _ => (0, args),
            };
            for _ in 0..if self.peer.warms() { warming } else { 0 } {
                let _ = self.once(with, "warm", None);
            }
            let (what, by, turn_s, beside): (_, fn(&Run) -> f64, _, _) = match length {
                Length::Long if torch => ("long", Run::steady_s, TURN_S, self.beside),
                Length::Long => ("long", Run::wall_s, WALL_TURN_S, None),
                Length::Short => ("short", Run::wall_s, TURN_S, None),
            };
            let name = format!("{}-{}-{what}", bench.name, self.round);
            match steadied(by, turn_s, |again| {
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

    /// Notes where a peer's output differs from ours.
    fn compare(&self, entry: &mut Entry, ours: &Output, theirs: &Output) {
        if entry.differs.is_some() || entry.own_random {
            return;
        }
        entry.differs = differs(ours, theirs);
        entry.own_random = entry.differs.is_some() && self.agrees_with_eager_random(ours);
        if entry.own_random {
            entry.differs = None;
        }
    }

    /// Whether a peer with random numbers of its own prints what ours does once it takes eager's.
    fn agrees_with_eager_random(&self, ours: &Output) -> bool {
        let same = self.peer.with_eager_random();
        let (Some(peer), Some(args)) = (&same, &self.script.bench.short) else {
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
        let (tools, bench) = (&self.script.request.tools, self.script.bench);
        let stats = tools.work.join("stats.json");
        let mut command: Command = self.peer.command(tools, bench, args, name, &stats);
        let limit = Duration::from_secs(bench.limit_s);
        let load = machine::load();
        let ran = match beside {
            None => process::run(&mut command, limit).map(|finished| (finished, None)),
            Some((ours, steps)) => {
                let elsewhere = tools.work.join("beside.json");
                let mut ours = ours.command(tools, bench, args, name, &elsewhere);
                let plan = duel::Plan {
                    steps,
                    limit,
                    work: bench.work.as_deref(),
                };
                let mut cores = self.script.cores.borrow_mut();
                duel::run(&mut command, &mut ours, &plan, &mut cores)
            }
        };
        let (finished, times) = ran.map_err(|e| e.to_string())?;
        if let Some(why) = finished.failure {
            return Err(why);
        }
        let mut run = Run::of(&finished, load);
        run.times = times;
        if self.peer.is_ours() {
            run.compile_s = compile_time(&stats);
        }
        Ok((
            run,
            lines::comparable(&finished.lines, bench.compared_steps),
        ))
    }
}

/// One run, or of several short ones that which a quarter of them stay below, by the seconds of `by`: what disturbs a
/// machine for a moment is a larger part of a short run, and only ever makes it longer.
fn steadied(
    by: fn(&Run) -> f64,
    turn_s: f64,
    mut once: impl FnMut(usize) -> Result<(Run, String), String>,
) -> Result<(Run, String), String> {
    let mut runs = vec![once(0)?];
    let seconds = |runs: &[(Run, String)]| runs.iter().map(|(run, _)| run.wall_s).sum::<f64>();
    while runs.len() < REPEATS && seconds(&runs) < turn_s {
        runs.push(once(runs.len())?);
    }
    runs.sort_by(|(a, _), (b, _)| by(a).total_cmp(&by(b)));
    Ok(runs.swap_remove(runs.len() / 4))
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
    use super::{REPEATS, steadied};
    use crate::measure::Run;

    #[test]
    fn of_short_runs_one_of_the_faster_ones_counts() {
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
            let (_, text) = steadied(by, 7.0, once).unwrap();
            (text, made)
        };
        // Until they took seven seconds together: five runs, of which the second counts.
        let short = [1.7, 1.5, 1.4, 1.6, 1.3].map(|s| run(s, 10.0 + s));
        assert_eq!(of(&short, Run::wall_s), ("2".to_owned(), 5));
        assert_eq!(of(&short, Run::steady_s), ("3".to_owned(), 5));
        assert_eq!(of(&[run(9.0, 10.0)], Run::steady_s), ("0".to_owned(), 1));
        assert_eq!(of(&[run(0.1, 10.0)], Run::steady_s).1, REPEATS);
    }
}
