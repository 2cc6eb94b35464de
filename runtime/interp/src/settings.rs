//! What the command line says of the interpreter itself.
//!
//! In: flags and variables, read by the command. Out: what `sys` shows of them and what the interpreter does by them.
//! Always: the defaults are those of a run without flags.

/// The settings of one interpreter, most of which `sys.flags` shows.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `-O`: 1 without `assert`, 2 without docstrings, too.
    pub optimize: u8,
    /// `-i`: a prompt after the script.
    pub inspect: bool,
    /// There is a prompt.
    pub interactive: bool,
    /// `-u`: output is written at once.
    pub unbuffered: bool,
    /// `-q`: no greeting.
    pub quiet: bool,
    /// `-v`
    pub verbose: u8,
    /// `-b`
    pub bytes_warning: u8,
    /// `-d`
    pub debug: u8,
    /// `-B`: no bytecode is written. Nothing ever is; scripts read it.
    pub dont_write_bytecode: bool,
    /// `-s`: without the user's own packages.
    pub no_user_site: bool,
    /// `-S`: without any packages that are installed.
    pub no_site: bool,
    /// `-E`: without the variables that begin with `PYTHON`.
    pub ignore_environment: bool,
    /// `-I`
    pub isolated: bool,
    /// `-P`: the script's directory is not searched.
    pub safe_path: bool,
    /// `-W` and `PYTHONWARNINGS`, as `sys.warnoptions` lists them.
    pub warn_options: Vec<String>,
    /// `-X`, as `sys._xoptions` has them.
    pub x_options: Vec<(String, Option<String>)>,
    /// The program by the name that it was called by, absolute.
    pub executable: String,
    /// The whole command line.
    pub command_line: Vec<String>,
}

impl Settings {
    /// Whether `-X name` was given, and not as `name=0`.
    pub fn has_option(&self, name: &str) -> bool {
        self.x_options
            .iter()
            .any(|(given, value)| given == name && value.as_deref() != Some("0"))
    }

    /// The value that `-X` gives a name.
    pub fn option(&self, name: &str) -> Option<String> {
        let found = self.x_options.iter().rfind(|(given, _)| given == name);
        found.and_then(|(_, value)| value.clone())
    }

    /// A variable that begins with `PYTHON`, unless these are to be ignored; an empty one counts as none.
    pub fn variable(&self, name: &str) -> Option<String> {
        if self.ignore_environment {
            return None;
        }
        let value = std::env::var_os(name)?.to_string_lossy().into_owned();
        (!value.is_empty()).then_some(value)
    }
}
