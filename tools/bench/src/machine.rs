//! What the figures were taken on.

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Memory.
    pub memory_gib: f64,
    /// The system's name.
    pub os: String,
    /// The kernel.
    pub kernel: String,
    /// Load over one minute when the harness began.
    pub load: f64,
}

fn line(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|l| l.starts_with(key))?;
    Some(
        line.get(key.len()..)?
            .trim_matches([' ', '\t', ':', '=', '"'])
            .to_owned(),
    )
}

/// Load over one minute.
#[must_use]
pub fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace()
        .next()
        .and_then(|x| x.parse().ok())
        .unwrap_or(0.0)
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn here() -> Machine {
        let memory = line("/proc/meminfo", "MemTotal").unwrap_or_default();
        let kib: f64 = memory
            .split_whitespace()
            .next()
            .and_then(|x| x.parse().ok())
            .unwrap_or(0.0);
        Machine {
            cpu: line("/proc/cpuinfo", "model name")
                .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: (kib / 1024.0 / 1024.0 * 10.0).round() / 10.0,
            os: line("/etc/os-release", "PRETTY_NAME")
                .unwrap_or_else(|| std::env::consts::OS.to_owned()),
            kernel: std::fs::read_to_string("/proc/sys/kernel/osrelease")
                .unwrap_or_default()
                .trim()
                .to_owned(),
            load: load(),
        }
    }
}
