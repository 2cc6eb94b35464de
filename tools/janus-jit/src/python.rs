//! A command line as `python` has it.
//!
//! In: the arguments of the process. Out: those of our own commands; what flags and variables of Python say of the
//! interpreter. Always: called as `python`, or without a command of ours, everything is meant for `run`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use janus_interp::Settings;

/// The commands that are not Python's.
const COMMANDS: [&str; 9] = [
    "run",
    "torchrun",
    "explain",
    "bench",
    "compile",
    "completions",
    "man",
    "cache",
    "help",
];

/// Flags of CPython's.
#[derive(Args)]
pub struct PythonArgs {
    /// Leave out `assert`; given twice, docstrings, too
    #[arg(short = 'O', action = ArgAction::Count)]
    optimize: u8,
    /// Go on at a prompt when the script has ended
    #[arg(short = 'i')]
    inspect: bool,
    /// Write output at once
    #[arg(short = 'u')]
    unbuffered: bool,
    /// What is done about warnings: action:message:category:module:line
    #[arg(short = 'W', value_name = "FILTER", allow_hyphen_values = true)]
    warnings: Vec<String>,
    /// An option of the implementation, as in `dev` or `utf8=1`
    #[arg(short = 'X', value_name = "OPTION")]
    options: Vec<String>,
    /// Neither variables that begin with PYTHON, nor the user's packages, nor the script's directory
    #[arg(short = 'I')]
    isolated: bool,
    /// No variables that begin with PYTHON
    #[arg(short = 'E')]
    ignore_environment: bool,
    /// Do not look for modules in the script's directory
    #[arg(short = 'P')]
    safe_path: bool,
    /// Without the user's packages
    #[arg(short = 's')]
    no_user_site: bool,
    /// Without packages that are installed
    #[arg(short = 'S')]
    no_site: bool,
    /// No greeting at the prompt
    #[arg(short = 'q')]
    quiet: bool,
    /// Write no bytecode: none ever is
    #[arg(short = 'B')]
    no_bytecode: bool,
    /// Scripts can see that it was given
    #[arg(short = 'v', action = ArgAction::Count)]
    verbose: u8,
    /// Scripts can see that it was given
    #[arg(short = 'b', action = ArgAction::Count)]
    bytes_warning: u8,
    /// Scripts can see that it was given
    #[arg(short = 'd', action = ArgAction::Count)]
    debug: u8,
    /// Print the version of Python that this is
    #[arg(short = 'V', action = ArgAction::SetTrue)]
    pub version: bool,
}

impl PythonArgs {
    /// What these and the environment's variables say.
    pub fn settings(self) -> Result<Settings, String> {
        let mut settings = Settings {
            optimize: self.optimize.min(2),
            inspect: self.inspect,
            interactive: self.inspect,
            unbuffered: self.unbuffered,
            quiet: self.quiet,
            verbose: self.verbose,
            bytes_warning: self.bytes_warning,
            debug: self.debug,
            dont_write_bytecode: self.no_bytecode,
            no_user_site: self.no_user_site || self.isolated,
            no_site: self.no_site,
            ignore_environment: self.ignore_environment || self.isolated,
            isolated: self.isolated,
            safe_path: self.safe_path || self.isolated,
            executable: executable().to_string_lossy().into_owned(),
            command_line: std::env::args_os()
                .map(|a| a.to_string_lossy().into_owned())
                .collect(),
            x_options: self.options.iter().map(|o| option(o)).collect(),
            ..Settings::default()
        };
        let is_set = |name: &str| settings.variable(name).is_some();
        let (inspect, unbuffered) = (is_set("PYTHONINSPECT"), is_set("PYTHONUNBUFFERED"));
        let (safe, no_bytecode) = (is_set("PYTHONSAFEPATH"), is_set("PYTHONDONTWRITEBYTECODE"));
        settings.inspect |= inspect;
        settings.unbuffered |= unbuffered;
        settings.safe_path |= safe;
        settings.dont_write_bytecode |= no_bytecode;
        if let Some(level) = settings.variable("PYTHONOPTIMIZE") {
            // As in CPython, any text means 1.
            settings.optimize = settings.optimize.max(level.parse().unwrap_or(1).min(2));
        }
        if let Some(seed) = settings.variable("PYTHONHASHSEED")
            && seed != "random"
            && seed.parse::<u32>().is_err()
        {
            return Err(
                "PYTHONHASHSEED must be \"random\" or an integer in range [0; 4294967295]"
                    .to_owned(),
            );
        }
        if settings.has_option("dev") {
            settings.warn_options.push("default".to_owned());
        }
        if let Some(filters) = settings.variable("PYTHONWARNINGS") {
            settings
                .warn_options
                .extend(filters.split(',').map(str::to_owned));
        }
        settings.warn_options.extend(self.warnings);
        Ok(settings)
    }
}

/// `name` or `name=value`
fn option(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// The arguments as our own commands take them.
pub fn arguments() -> Vec<OsString> {
    adapted(std::env::args_os().collect())
}

fn adapted(given: Vec<OsString>) -> Vec<OsString> {
    let as_python = given.first().is_some_and(|program| is_python(program));
    let first = given.get(1).map(|a| a.to_string_lossy());
    let for_run = match first.as_deref() {
        // A wrong command, help and our version are answered by our own parser.
        Some("-h" | "--help" | "-V" | "--version") if !as_python => false,
        None => true,
        _ if as_python => true,
        Some(word) if COMMANDS.contains(&word) => false,
        Some(word) => {
            (word.starts_with('-') && !word.starts_with("--")) || Path::new(word).exists()
        }
    };
    if !for_run {
        return given;
    }
    let mut adapted = given;
    adapted.insert(1.min(adapted.len()), "run".into());
    adapted
}

/// Whether the program was called by a name of Python's.
pub fn is_python(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().map(|n| n.to_string_lossy());
    name.is_some_and(|name| {
        name.strip_prefix("python")
            .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
    })
}

/// What `-V` prints where the program is called as Python.
pub fn version_wanted() -> bool {
    let mut given = std::env::args_os();
    given.next().is_some_and(|program| is_python(&program))
        && given
            .next()
            .is_some_and(|a| a == "-V" || a == "--version" || a == "-VV")
}

/// The program by the name that it was called by: in an environment, that is a link.
fn executable() -> PathBuf {
    let own = || std::env::current_exe().unwrap_or_default();
    let Some(name) = std::env::args_os().next().map(PathBuf::from) else {
        return own();
    };
    if name.components().count() > 1 {
        let absolute = std::path::absolute(&name).unwrap_or(name);
        return if absolute.is_file() { absolute } else { own() };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|d| d.join(&name))
        .find(|p| p.is_file());
    found.unwrap_or_else(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapted_to(words: &[&str]) -> String {
        let words = words.iter().map(OsString::from).collect();
        let adapted = adapted(words).join(OsStr::new(" "));
        adapted.to_string_lossy().into_owned()
    }

    #[test]
    fn what_is_meant_for_python_runs() {
        assert_eq!(
            adapted_to(&["janus-jit", "-c", "pass"]),
            "janus-jit run -c pass"
        );
        assert_eq!(
            adapted_to(&["janus-jit", "run", "x.py"]),
            "janus-jit run x.py"
        );
        assert_eq!(adapted_to(&["/bin/python3", "run"]), "/bin/python3 run run");
        assert_eq!(adapted_to(&["janus-jit", "--help"]), "janus-jit --help");
        assert_eq!(adapted_to(&["janus-jit", "nonsense"]), "janus-jit nonsense");
        assert!(is_python(OsStr::new("python3.11")) && !is_python(OsStr::new("python-config")));
    }
}
