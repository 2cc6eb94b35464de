//! A command line as Python has it: modules, the prompt, flags, variables, environments.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Dir, Ran};

/// Runs it with this on standard input.
fn fed(dir: &Dir, args: &[&str], input: &str) -> Ran {
    let mut child = dir
        .janus(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn modules_packages_and_directories_run_as_main() {
    let dir = Dir::new();
    let main = "import sys\nprint(__name__, __package__, __spec__.name, sys.argv[1:])\n";
    dir.file("pkg/__init__.py", "");
    dir.file("pkg/__main__.py", main);
    dir.file("pkg/sub.py", main);
    let out = |args: &[&str]| {
        let ran = dir.output(args);
        (ran.stdout, ran.code)
    };
    let expected = |text: &str| (text.to_owned(), Some(0));
    assert_eq!(
        out(&["-m", "pkg", "x", "-y"]),
        expected("__main__ pkg pkg.__main__ ['x', '-y']\n")
    );
    assert_eq!(
        out(&["run", "-m", "pkg.sub"]),
        expected("__main__ pkg pkg.sub []\n")
    );
    assert_eq!(out(&["pkg"]), expected("__main__  __main__ []\n"));
    let missing = dir.output(&["-m", "pkg.nonsense"]);
    assert_eq!(missing.code, Some(1));
    assert!(
        missing.stderr.ends_with(": No module named pkg.nonsense\n"),
        "{missing:?}"
    );
}

#[test]
fn flags_and_variables_are_pythons() {
    let dir = Dir::new();
    let out = |args: &[&str]| dir.output(args).stdout;
    assert_eq!(out(&["-O", "-c", "assert 0\nprint(__debug__)"]), "False\n");
    assert_eq!(
        out(&["-OO", "-c", "def f():\n 'doc'\nprint(f.__doc__)"]),
        "None\n"
    );
    let shown = "import sys; print(sys._xoptions, sys.warnoptions, sys.argv)";
    assert_eq!(
        out(&["-X", "a=b", "-Xdev", "-Werror", "-c", shown, "-x"]),
        "{'a': 'b', 'dev': True} ['default', 'error'] ['-c', '-x']\n"
    );
    assert_eq!(
        out(&["-uBc", "import sys; print(sys.flags.dont_write_bytecode)"]),
        "1\n"
    );
    assert_eq!(
        fed(&dir, &["-", "a"], "import sys\nprint(sys.argv)\n").stdout,
        "['-', 'a']\n"
    );
    dir.file("script.py", "print('ran')\n");
    assert_eq!(out(&["script.py"]), "ran\n");
    let seed = dir
        .janus(&["-c", "print(1)"])
        .env("PYTHONHASHSEED", "x")
        .output()
        .unwrap();
    assert_eq!((Ran::from(seed).code), Some(2));
    let warned = dir
        .janus(&[
            "-c",
            "import sys; print(sys.warnoptions, sys.flags.optimize)",
        ])
        .env("PYTHONWARNINGS", "ignore,error::UserWarning")
        .env("PYTHONOPTIMIZE", "2")
        .output()
        .unwrap();
    assert_eq!(
        Ran::from(warned).stdout,
        "['ignore', 'error::UserWarning'] 2\n"
    );
}

#[test]
fn what_ends_a_script_is_the_exit_code() {
    let dir = Dir::new();
    let code = |text: &str| dir.output(&["-c", text]).code;
    assert_eq!(code("raise SystemExit(3)"), Some(3));
    assert_eq!(code("import sys; sys.exit('words')"), Some(1));
    assert_eq!(code("1/0"), Some(1));
    assert_eq!(code("raise KeyboardInterrupt"), Some(130));
    let hooked = dir.output(&[
        "-c",
        "import sys\nsys.excepthook = lambda *a: print(a[0])\n1/0",
    ]);
    assert_eq!(
        (hooked.stdout.as_str(), hooked.stderr.as_str()),
        ("<class 'ZeroDivisionError'>\n", "")
    );
}

#[test]
fn a_prompt_shows_values_and_goes_on_after_errors() {
    let dir = Dir::new();
    let input =
        "x = 3\ndef f():\n    return x\n\nf()\n1/0\n_ + 1\nfor i in range(2):\n    i\n\nexit(5)\n";
    let ran = fed(&dir, &["-i"], input);
    assert_eq!((ran.stdout.as_str(), ran.code), ("3\n4\n0\n1\n", Some(5)));
    assert!(ran.stderr.contains("ZeroDivisionError"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(">>> ") && ran.stderr.contains("... "),
        "{}",
        ran.stderr
    );
    dir.file("script.py", "y = 7\n1/0\n");
    let after = fed(&dir, &["-i", "script.py"], "y\n");
    assert_eq!((after.stdout.as_str(), after.code), ("7\n", Some(0)));
}

#[cfg(unix)]
#[test]
fn called_as_python_in_an_environment_it_is_that_environments() {
    let dir = Dir::new();
    dir.file(
        "env/pyvenv.cfg",
        "home = /usr/bin\ninclude-system-site-packages = false\n",
    );
    dir.file(
        "env/lib/python3.11/site-packages/installed.py",
        "number = 5\n",
    );
    std::fs::create_dir_all(dir.path().join("env/bin")).unwrap();
    let python = dir.path().join("env/bin/python3");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_janus-jit"), &python).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(&python);
        let ran = command
            .args(args)
            .env_remove("VIRTUAL_ENV")
            .current_dir(dir.path());
        Ran::from(
            ran.env("XDG_CACHE_HOME", dir.path().join("cache"))
                .output()
                .unwrap(),
        )
    };
    let text = "import sys, installed; print(sys.prefix, sys.base_prefix, sys.executable, installed.number)";
    let expected = format!(
        "{0} /usr {1} 5\n",
        dir.path().join("env").display(),
        python.display()
    );
    let ran = run(&["-c", text]);
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
    assert_eq!(run(&["--version"]).stdout, "Python 3.11.7\n");
    // The command of that name is ours only under our own name.
    assert_eq!(run(&["explain"]).code, Some(2));
}

#[test]
fn a_scripts_own_modules_come_before_those_in_files_of_the_library() {
    let dir = Dir::new();
    dir.file("random.py", "x = 'own'\n");
    dir.file("sys.py", "x = 'own'\n");
    dir.file(
        "script.py",
        "import random, sys\nprint(random.x, hasattr(sys, 'x'))\n",
    );
    assert_eq!(dir.output(&["script.py"]).stdout, "own False\n");
    dir.file(
        "hooked.py",
        "
import sys, importlib.machinery
class Finder:
    def find_spec(self, name, path, target=None):
        if name == 'made':
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        module.number = 7
sys.meta_path.insert(0, Finder())
import made
print(made.number, made.__spec__.name)
",
    );
    let ran = dir.output(&["hooked.py"]);
    assert_eq!(ran.stdout, "7 made\n", "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_native_loops() {
    let dir = Dir::new();
    for text in [
        "sum(range(10**11))",
        "max(iter(int, 1))",
        "import collections, itertools; collections.deque(itertools.count(), 0)",
    ] {
        let text = format!("print('begun', flush=True); {text}");
        let mut child = dir
            .janus(&["-c", &text])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let pid = child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &pid]).status();
        assert!(kill.unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{text}");
    }
}
