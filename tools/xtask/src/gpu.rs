//! `cargo xtask gpu-emulate` and `cargo xtask ptxas`: device code where there is no device.
//!
//! In: test programs and models. Out: whether their device code computes what the CPU does, on an emulated GPU; what
//! NVIDIA's assembler says of it. Always: neither needs a GPU; the assembler is PyPI's, in the target folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;

use crate::TaskError;
use crate::programs::{self, Program};
use crate::shell::{bound, captured, check, output, read, root, target_dir};

/// Of so many programs one is a sample, unless programs are named.
const SAMPLE: usize = 8;
/// The chips of `--target`.
const CHIPS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];
/// The package that has the assembler.
const ASSEMBLER: &str = "nvidia-cuda-nvcc-cu12==12.9.*";

/// As `--stats` writes it.
#[derive(Deserialize)]
struct Stats {
    emulation: Option<Emulation>,
}

#[derive(Default, Deserialize)]
struct Emulation {
    regions: u64,
    launches: u64,
    runs: u64,
    equal: u64,
    close: u64,
    distance: f64,
    far: Vec<String>,
    without: Vec<String>,
    on_host: Vec<String>,
    different: Vec<String>,
}

impl Emulation {
    fn add(&mut self, other: Emulation) {
        self.regions += other.regions;
        self.launches += other.launches;
        self.runs += other.runs;
        self.equal += other.equal;
        self.close += other.close;
        self.distance = self.distance.max(other.distance);
        self.far.extend(other.far);
        self.without.extend(other.without);
        self.on_host.extend(other.on_host);
        self.different.extend(other.different);
    }
}

/// Whether a program asks for a device, and prints the same on each.
fn asks_for_device(program: &Program) -> bool {
    let folder = program.script.parent().and_then(Path::file_name);
    folder.is_some_and(|name| name == "devices")
}

/// The programs whose path contains one of these, or a sample and those that ask for a device, without the models.
fn chosen(named: &[String]) -> Result<Vec<Program>, TaskError> {
    let all = programs::all()?.into_iter().filter(|p| p.golden.exists());
    if named.is_empty() {
        let programs = all.filter(|p| p.second.is_none()).enumerate();
        let sample = programs.filter(|(i, p)| i % SAMPLE == 0 || asks_for_device(p));
        return Ok(sample.map(|(_, p)| p).collect());
    }
    let is_named = |p: &Program| {
        let path = p.script.to_string_lossy();
        named.iter().any(|name| path.contains(name.as_str()))
    };
    Ok(all.filter(is_named).collect())
}

/// Calls `work` with each program, on as many threads as there are cores. What it said of those that failed.
fn each(
    programs: &[Program],
    work: impl Fn(&Program) -> Result<(), TaskError> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let (Err(e), Ok(mut failed)) = (work(program), failed.lock()) {
                        failed.push(format!("FAIL {}: {e}", program.script.display()));
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap_or_default();
    failed.sort();
    failed
}

fn stem(program: &Program) -> String {
    let name = program.script.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn empty(folder: &Path) -> Result<(), TaskError> {
    let io = |source| TaskError::Io {
        path: folder.to_owned(),
        source,
    };
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(io(e)),
        _ => {}
    }
    std::fs::create_dir_all(folder).map_err(io)
}

/// Runs programs with their tensors on the emulated GPU, in tier 0 and compiled; whether they print the same.
fn on_device(janus_jit: &Path, programs: &[Program], orders: u64) -> Result<bool, TaskError> {
    let compared = AtomicUsize::new(0);
    let failed = each(programs, |program| {
        let run = |ways: &[&str], order: u64| {
            let mut command = Command::new(janus_jit);
            command
                .current_dir(root())
                .args(["run", "--cache", "off", "--default-device", "cuda"])
                .arg(format!("--cuda=emulate={order}"));
            captured(command.args(ways).arg(&program.script))
        };
        let interpreted = run(&["--tier", "0"], 0)?;
        for order in 0..orders {
            let compiled = run(&["--compile", "sync"], order)?;
            let said = String::from_utf8_lossy(&compiled.stderr);
            let same = compiled.stdout == interpreted.stdout
                && compiled.status.code() == interpreted.status.code();
            if !same || said.contains("janus-jit: ") {
                return Err(TaskError::Needs(format!(
                    "prints something else on the device when it is compiled: {said}"
                )));
            }
            compared.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
    for message in &failed {
        println!("{message}");
    }
    println!(
        "tensors on the device: {} runs compared with tier 0, {} differ",
        compared.into_inner(),
        failed.len()
    );
    Ok(failed.is_empty())
}

/// Runs programs with their regions on the emulated GPU, too, at so many orders of threads; whether all is as it should be.
pub fn emulate(janus_jit: &Path, named: &[String], orders: u64) -> Result<bool, TaskError> {
    let programs = chosen(named)?;
    let folder = target_dir().join("gpu-emulate");
    empty(&folder)?;
    let total = Mutex::new(Emulation::default());
    let mut failed = Vec::new();
    for order in 0..orders {
        failed.extend(each(&programs, |program| {
            let stats = folder.join(format!("{}.{order}.json", stem(program)));
            let mut command = Command::new(janus_jit);
            command
                .current_dir(root())
                .args(["run", "--cache", "off", "--compile", "sync"])
                .arg(format!("--cuda=emulate={order}"))
                .arg("--stats")
                .arg(&stats)
                .arg(&program.script);
            let run = captured(&mut command)?;
            // The CPU's results count, so the output is the program's; only what a program says of an uncaught
            // exception ends it with another code.
            let said = String::from_utf8_lossy(&run.stderr);
            if run.status.code().is_none() || said.contains("janus-jit: ") {
                return Err(TaskError::Needs(format!("{}: {said}", run.status)));
            }
            if asks_for_device(program) && run.stdout != read(&program.golden)?.into_bytes() {
                return Err(TaskError::Needs(
                    "prints something else on a device".to_owned(),
                ));
            }
            let stats: Stats = serde_json::from_str(&read(&stats)?)
                .map_err(|e| TaskError::Needs(format!("its statistics: {e}")))?;
            if let (Some(found), Ok(mut total)) = (stats.emulation, total.lock()) {
                total.add(found);
            }
            Ok(())
        }));
    }
    let total = total.into_inner().unwrap_or_default();
    for message in &failed {
        println!("{message}");
    }
    let mut on_host = BTreeMap::<&str, u64>::new();
    for what in &total.on_host {
        // `region: routine: why`; a kernel's name is a number.
        let mut parts = what.rsplitn(3, ": ");
        let (why, routine) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let is_routine = routine.starts_with("janus_rt_");
        *on_host
            .entry(if is_routine { routine } else { why })
            .or_default() += 1;
    }
    println!(
        "{} programs, {orders} orders of threads: {} regions, {} without device code, {} runs, {} launches",
        programs.len(),
        total.regions,
        total.without.len(),
        total.runs,
        total.launches
    );
    println!(
        "results: {} equal, {} close (at most {:.1e}), {} magnify rounding, {} wrong",
        total.equal,
        total.close,
        total.distance,
        total.far.len(),
        total.different.len()
    );
    println!("on the host:");
    for (what, count) in &on_host {
        println!("  {count:6}  {what}");
    }
    let same = on_device(janus_jit, &programs, orders)?;
    Ok(same && failed.is_empty() && total.different.is_empty() && total.runs > 0)
}

/// NVIDIA's assembler: on the path, or from PyPI, in the target folder.
fn assembler() -> Result<PathBuf, TaskError> {
    if output(Command::new("ptxas").arg("--version")).is_some() {
        return Ok("ptxas".into());
    }
    let venv = target_dir().join("ptxas");
    let inside = || {
        let pattern = venv.join("lib");
        let versions = std::fs::read_dir(pattern).ok()?;
        let found = versions.flatten().map(|version| {
            version
                .path()
                .join("site-packages/nvidia/cuda_nvcc/bin/ptxas")
        });
        found.into_iter().find(|path| path.exists())
    };
    if let Some(found) = inside() {
        return Ok(found);
    }
    check(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    check(
        Command::new(venv.join("bin/python")).args(["-m", "pip", "install", "--quiet", ASSEMBLER]),
    )?;
    inside().ok_or_else(|| TaskError::Needs(format!("{ASSEMBLER} has no ptxas")))
}

/// What the assembler said of one chip's kernels.
#[derive(Default)]
struct Assembled {
    kernels: u64,
    registers: Vec<u64>,
    spilling: Vec<String>,
}

impl Assembled {
    /// Reads the report of `ptxas -v` about the text of `name`.
    fn read(&mut self, report: &str, name: &str) {
        let mut kernel = "";
        for line in report.lines() {
            if let Some((_, rest)) = line.split_once("Compiling entry function '") {
                kernel = rest.split('\'').next().unwrap_or("");
                self.kernels += 1;
            } else if let Some((_, rest)) = line.split_once("Used ") {
                self.registers
                    .extend(rest.split(' ').next().and_then(|n| n.parse::<u64>().ok()));
            } else if line.contains("bytes spill stores") && !line.contains(" 0 bytes spill stores")
            {
                self.spilling
                    .push(format!("{name} {kernel}: {}", line.trim()));
            }
        }
    }
}

/// Assembles the kernels of programs for every chip; whether the assembler took them all, and few have too few registers.
pub fn assemble(janus_jit: &Path, named: &[String]) -> Result<bool, TaskError> {
    let ptxas = assembler()?;
    let programs = chosen(named)?;
    let folder = target_dir().join("ptx");
    empty(&folder)?;
    let mut all_taken = true;
    println!("chip     programs kernels  median  most registers  spilling  refused");
    for chip in CHIPS {
        let total = Mutex::new(Assembled::default());
        let refused = each(&programs, |program| {
            let texts = folder.join(chip).join(stem(program));
            empty(&texts)?;
            let run = bound(janus_jit)
                .current_dir(root())
                .args([
                    "run",
                    "--cache",
                    "off",
                    "--compile",
                    "sync",
                    "--emit",
                    "ptx",
                ])
                .args(["--target", chip, "--emit-dir"])
                .arg(&texts)
                .arg(&program.script)
                .output();
            run.map_err(|source| TaskError::Start {
                command: janus_jit.display().to_string(),
                source,
            })?;
            let files = std::fs::read_dir(&texts).map_err(|source| TaskError::Io {
                path: texts.clone(),
                source,
            })?;
            let mut refused = Vec::new();
            for file in files.flatten().map(|f| f.path()) {
                let text = read(&file)?;
                if let Some(why) = text.strip_prefix("// no code") {
                    refused.push(why.trim().to_owned());
                    continue;
                }
                // A region may have no kernel at all.
                if !text.contains(".entry") {
                    continue;
                }
                let done = bound(&ptxas)
                    .args(["-v", "-arch", chip, "-o", "/dev/null"])
                    .arg(&file)
                    .output()
                    .map_err(|source| TaskError::Start {
                        command: ptxas.display().to_string(),
                        source,
                    })?;
                let report = String::from_utf8_lossy(&done.stderr);
                if !done.status.success() {
                    refused.push(format!("{}: {report}", file.display()));
                } else if let Ok(mut total) = total.lock() {
                    total.read(&report, &stem(program));
                }
            }
            match refused.is_empty() {
                true => Ok(()),
                false => Err(TaskError::Needs(refused.join("\n"))),
            }
        });
        let mut total = total.into_inner().unwrap_or_default();
        total.registers.sort_unstable();
        let median = total.registers.get(total.registers.len() / 2).unwrap_or(&0);
        println!(
            "{chip:8} {:8} {:7} {median:7} {:15} {:9} {:8}",
            programs.len(),
            total.kernels,
            total.registers.last().unwrap_or(&0),
            total.spilling.len(),
            refused.len()
        );
        for what in refused.iter().chain(&total.spilling) {
            println!("  {what}");
        }
        all_taken &= refused.is_empty() && total.kernels > 0;
        all_taken &= total.spilling.len() as u64 * 20 <= total.kernels;
    }
    Ok(all_taken)
}

#[cfg(test)]
mod tests {
    use super::Assembled;

    #[test]
    fn reads_what_the_assembler_says() {
        let mut total = Assembled::default();
        total.read(
            "ptxas info    : 0 bytes gmem\n\
             ptxas info    : Compiling entry function 'a' for 'sm_90'\n\
             ptxas info    : Function properties for a\n    \
             0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
             ptxas info    : Used 10 registers, used 0 barriers\n\
             ptxas info    : Compiling entry function 'b' for 'sm_90'\n    \
             8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n\
             ptxas info    : Used 255 registers, used 1 barriers\n",
            "program",
        );
        assert_eq!((total.kernels, &total.registers[..]), (2, &[10, 255][..]));
        assert_eq!(total.spilling.len(), 1);
        assert!(
            total.spilling[0].starts_with("program b: 8 bytes stack"),
            "{:?}",
            total.spilling
        );
    }
}
