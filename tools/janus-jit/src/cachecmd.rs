//! `--cache` and `janus-jit cache`.
//!
//! In: a directory, `off`, or nothing. Out: the cache of a run, what it holds, its removal.
//! Always: a directory that the user named must be usable; the default one is used if it can be.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use janus_tiering::{Cache, CacheError, CacheStat, DEFAULT_LIMIT, default_cache_dir};

/// What `--cache` says.
#[derive(Clone, Debug)]
pub enum CacheChoice {
    /// No cache.
    Off,
    /// This directory.
    Dir(PathBuf),
}

/// Reads `--cache`.
pub fn choice(text: &str) -> Result<CacheChoice, String> {
    match text {
        "" => Err("expected a directory or off".to_owned()),
        "off" => Ok(CacheChoice::Off),
        dir => Ok(CacheChoice::Dir(dir.into())),
    }
}

/// What to do with the cache.
#[derive(Subcommand)]
pub enum Action {
    /// Say where it is and what it holds
    Stat,
    /// Remove all compiled code
    Clear,
}

fn unusable(e: &CacheError) -> String {
    format!("cannot use the cache: {e}")
}

/// The cache of a run.
pub fn open(choice: Option<CacheChoice>) -> Result<Option<Arc<Cache>>, String> {
    let dir = match choice {
        Some(CacheChoice::Off) => return Ok(None),
        Some(CacheChoice::Dir(dir)) => {
            let cache = Cache::open(dir, DEFAULT_LIMIT).map_err(|e| unusable(&e))?;
            return Ok(Some(Arc::new(cache)));
        }
        None => default_cache_dir(),
    };
    Ok(dir.and_then(|dir| match Cache::open(dir, DEFAULT_LIMIT) {
        Ok(cache) => Some(Arc::new(cache)),
        Err(e) => {
            tracing::info!("{}", unusable(&e));
            None
        }
    }))
}

/// Carries out `janus-jit cache`; gives the exit code.
pub fn run(action: Action, choice: Option<CacheChoice>) -> i32 {
    match act(action, choice) {
        Ok(text) => crate::run::print(&text),
        Err(message) => {
            eprintln!("janus-jit: {message}");
            2
        }
    }
}

fn act(action: Action, choice: Option<CacheChoice>) -> Result<String, String> {
    let dir = match choice {
        Some(CacheChoice::Off) => return Ok("the cache is off\n".to_owned()),
        Some(CacheChoice::Dir(dir)) => dir,
        None => default_cache_dir()
            .ok_or("no cache directory: neither XDG_CACHE_HOME nor HOME is set")?,
    };
    let there = dir.try_exists();
    if !there.map_err(|e| format!("cannot use the cache: {}: {e}", dir.display()))? {
        return Ok(format!("{}: empty\n", dir.display()));
    }
    let cache = Cache::open(dir, DEFAULT_LIMIT).map_err(|e| unusable(&e))?;
    let shown = cache.dir().display();
    match action {
        Action::Stat => Ok(format!(
            "{shown}: {} of at most {}\n",
            text(cache.stat()),
            size(cache.limit())
        )),
        Action::Clear => {
            let gone = cache.clear().map_err(|e| unusable(&e))?;
            Ok(format!("{shown}: removed {}\n", text(gone)))
        }
    }
}

fn text(stat: CacheStat) -> String {
    let plural = if stat.entries == 1 {
        "entry"
    } else {
        "entries"
    };
    format!("{} {plural}, {}", stat.entries, size(stat.bytes))
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 {
        format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
    } else {
        format!("{:.1} KiB", bytes as f64 / 1024.0)
    }
}
