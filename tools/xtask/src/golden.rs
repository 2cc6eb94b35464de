//! Records what CPython 3.11 and PyTorch 2.11 print for every program.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TaskError;
use crate::shell::{check, output, root, target_dir, without_root, write};

/// What the oracle is made of; tensorboard is what PyTorch needs to write event files.
const PACKAGES: [&str; 6] = [
    "torch==2.11.0",
    "numpy==2.4.6",
    "tensorboard",
    "torchvision==0.26.0",
    "pillow==13.0.0",
    "matplotlib==3.10.9",
];

/// Packages that an oracle may lack, as long as no program that is recorded imports them.
const OPTIONAL: [(&str, &str); 3] = [
    ("torchvision", "torchvision==0.26.0"),
    ("PIL", "pillow==13.0.0"),
    ("matplotlib", "matplotlib==3.10.9"),
];

/// An error if a script imports what this oracle has not: its golden output would be an ImportError.
fn check_imports(python: &Path, script: &Path) -> Result<(), TaskError> {
    let text = crate::shell::read(script)?;
    for (module, package) in OPTIONAL {
        let imports = |line: &str| {
            let mut words = line.split(|c: char| c.is_whitespace() || c == '.' || c == ',');
            matches!(words.next(), Some("import" | "from")) && words.any(|w| w == module)
        };
        let import = format!("import {module}");
        if text.lines().map(str::trim).any(imports)
            && output(Command::new(python).args(["-c", &import])).is_none()
        {
            return Err(TaskError::Needs(format!(
                "{} imports {module}, which {} has not: {} -m pip install {package}",
                script.display(),
                python.display(),
                python.display(),
            )));
        }
    }
    Ok(())
}

/// The interpreter of the oracle: `JANUS_ORACLE_PYTHON`, or a virtual environment under target/.
pub fn oracle() -> Result<PathBuf, TaskError> {
    if let Some(python) = std::env::var_os("JANUS_ORACLE_PYTHON") {
        return Ok(python.into());
    }
    let venv = target_dir().join("oracle");
    let python = venv.join("bin/python");
    if output(Command::new(&python).args(["-c", "import torch"])).is_none() {
        let host = ["python3.11", "python3"]
            .into_iter()
            .find(|p| {
                output(Command::new(p).args(["-c", "import sys; print(sys.version_info[:2])"]))
                    .is_some_and(|v| v.trim() == "(3, 11)")
            })
            .ok_or_else(|| TaskError::Needs("golden output needs python3.11 with venv: sudo apt-get install -y python3.11-venv".to_owned()))?;
        check(Command::new(host).args(["-m", "venv"]).arg(&venv))?;
        let install = ["-m", "pip", "install", "--quiet"];
        check(Command::new(&python).args(install).args(PACKAGES))?;
    }
    Ok(python)
}

/// What a script prints under the oracle; `narrow`: as on a processor without AVX-512.
fn printed(
    python: &Path,
    script: &Path,
    threads: Option<u32>,
    narrow: bool,
) -> Result<String, TaskError> {
    let mut command = crate::shell::bound(python);
    // Hashes of texts are not random, so that sets have one order.
    command
        .env("PYTHONHASHSEED", "0")
        .current_dir(root())
        .args(["-W", "ignore"])
        .arg(script);
    if let Some(threads) = threads {
        command
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("OMP_WAIT_POLICY", "PASSIVE");
    }
    if narrow {
        command
            .env("ATEN_CPU_CAPABILITY", "avx2")
            .env("ONEDNN_MAX_CPU_ISA", "AVX2");
    }
    let out = command.output().map_err(|source| TaskError::Start {
        command: python.display().to_string(),
        source,
    })?;
    // A program may end in an exception on purpose; its text then stands on stderr.
    Ok(without_root(&String::from_utf8_lossy(&out.stdout)))
}

/// Runs the programs under the oracle and writes their golden output beside them; models are run
/// at one and at two threads.
pub fn record(filter: Option<&str>) -> Result<(), TaskError> {
    let python = oracle()?;
    for program in crate::programs::all()? {
        if filter.is_some_and(|f| !program.script.to_string_lossy().contains(f)) {
            continue;
        }
        check_imports(&python, &program.script)?;
        let threads = program.second.as_ref().map(|_| 1);
        write(
            &program.golden,
            &printed(&python, &program.script, threads, false)?,
        )?;
        if let Some(second) = &program.second {
            write(second, &printed(&python, &program.script, Some(2), false)?)?;
        }
        if let Some(narrow) = program.narrow() {
            write(&narrow, &printed(&python, &program.script, Some(1), true)?)?;
        }
        println!("recorded {}", program.golden.display());
    }
    crate::distributed::record(&python, filter)
}
