//! `janus-jit bench` as a command: what is refused, what is kept.

use serde_json::Value;

use crate::support::{Dir, Ran};

const STEPS: &str = "\
import sys
n = int(sys.argv[1]) if len(sys.argv) > 1 else 30
total = 0
for i in range(n):
    total += i * i
    print('step', i, total)
";

#[track_caller]
fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn wrong_requests_are_one_line_and_exit_code_2() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    dir.file("old.json", "{}");
    let ran = |args: &[&str]| dir.output(args);
    refused(
        &ran(&["bench", "script.py", "--peers", "tinygrad"]),
        "no peer is called 'tinygrad'; there are janus,",
    );
    refused(&ran(&["bench", "nothing.py"]), "benches.toml");
    refused(
        &ran(&["bench", "script.py", "--json", "no/such/dir.json"]),
        "cannot write no/such/dir.json",
    );
    refused(
        &ran(&["bench", "script.py", "--compare", "old.json"]),
        "old.json: not a result of janus-jit bench",
    );
    dir.file("benches/benches.toml", "[[bench]]\nscrip = 'a.py'\n");
    refused(&ran(&["bench"]), "unknown field `scrip`");
}

#[test]
fn a_run_is_reported_in_every_form() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    let ran = dir.output(&[
        "bench",
        "script.py",
        "--rounds",
        "2",
        "--peers",
        "janus-tier0,cpython",
        "--python",
        "/no/such/python",
        "--json",
        "r.json",
        "--html",
        "r.html",
        "--markdown",
        "r.md",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("janus-jit, tier 0"), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let results: Value = serde_json::from_str(&read("r.json")).unwrap();
    assert_eq!(results["version"], 1);
    let entries = results["benches"][0]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let runs = entry["long"].as_array().unwrap();
        // Where steps are counted, the other one takes turns with ours, which needs no run behind it.
        let ours = entry["peer"] == "janus";
        assert_eq!(runs.len(), 2, "{entry}");
        assert!(runs.iter().all(|run| run["steps"] == 30.0), "{entry}");
        let beside: Vec<_> = runs.iter().filter_map(|r| r["beside"].as_u64()).collect();
        let expected = if ours { vec![] } else { vec![0, 1] };
        assert_eq!(beside, expected, "{entry}");
        for run in runs {
            assert!(run["wall_s"].as_f64().unwrap() >= run["first_step_s"].as_f64().unwrap());
            assert!(run["peak_mib"].as_f64().unwrap() > 1.0);
        }
    }
    let page = read("r.html");
    assert!(page.contains("<svg") && !page.contains("<script") && !page.contains("http"));
    assert!(read("r.md").contains("| script |"));
    // The same figures again: nothing changed.
    let again = dir.output(&["bench", "--from", "r.json", "--compare", "r.json"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(again.stdout.contains("nothing changed"), "{}", again.stdout);
}

#[test]
fn what_is_missing_is_measured_and_nothing_else() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    dir.file("other.py", STEPS);
    let bench = |rest: &[&str]| {
        let args = [
            "bench",
            "--peers",
            "janus-tier0",
            "--json",
            "r.json",
            "--resume",
        ];
        dir.output(&[&args, rest].concat())
    };
    let results = || {
        let text = std::fs::read_to_string(dir.path().join("r.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    // Without a file it begins one.
    assert_eq!(bench(&["script.py", "--rounds", "1"]).code, Some(0));
    let before = results();
    let ran = bench(&["script.py", "other.py", "--rounds", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let after = results();
    assert_eq!(before["benches"][0], after["benches"][0]);
    assert_eq!(after["benches"][1]["name"], "other");
    assert_eq!(before["started"], after["started"]);
    // A second round of one of them.
    assert_eq!(bench(&["other.py", "--rounds", "2"]).code, Some(0));
    let more = results();
    assert_eq!(after["benches"][0], more["benches"][0]);
    let runs = |r: &Value, peer: usize| r["benches"][1]["entries"][peer]["long"].clone();
    for peer in 0..2 {
        let (one, two) = (runs(&after, peer), runs(&more, peer));
        assert_eq!((one[0] == two[0], two.as_array().unwrap().len()), (true, 2));
    }
    assert_eq!(more["rounds"], 2);
}

#[test]
fn a_peer_that_prints_something_else_has_no_ratio() {
    let dir = Dir::new();
    let script = "import sys\nprint(sys.implementation.name, 1.5)\n";
    dir.file("script.py", script);
    dir.file(
        "benches/benches.toml",
        "[[bench]]\nscript = '../script.py'\nkind = 'scalar'\n",
    );
    let fake = dir.file(
        "python",
        "#!/bin/sh\ncase \"$*\" in *-c*) echo Fake 1.0;; *) echo other 1.5;; esac\n",
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&fake, mode).unwrap();
    let fake = fake.to_str().unwrap();
    let ran = dir.output(&[
        "bench",
        "--rounds",
        "1",
        "--peers",
        "cpython,pypy",
        "--python",
        fake,
        "--pypy",
        "/no/pypy",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("output differs"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("skipped pypy: cannot run /no/pypy"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("x ("), "{}", ran.stdout);
}

#[test]
fn random_numbers_of_its_own_leave_a_ratio() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    dir.file(
        "benches/benches.toml",
        "[[bench]]\nscript = '../script.py'\nlong = ['2']\nshort = ['1']\ncompile = ['f']\n",
    );
    let ran = |with_eager_random: &str| {
        let fake = dir.file(
            "python",
            format!(
                "#!/bin/sh\ncase \"$*\" in *-c*) echo Fake 1.0;; \
                 *compile-eager-random*) echo step 0 {with_eager_random};; *) echo step 0 7;; esac\n"
            ),
        );
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&fake, mode).unwrap();
        let fake = fake.to_str().unwrap();
        let peers = ["--peers", "torch-compile", "--python", fake];
        dir.output(&[&["bench", "--rounds", "1"], peers.as_slice()].concat())
    };
    let (same, note) = (ran("0"), "it draws random numbers of its own");
    assert_eq!(same.code, Some(0), "{}", same.stderr);
    assert!(
        same.stdout.contains("x (") && same.stdout.contains(note),
        "{}",
        same.stdout
    );
    let other = ran("3").stdout;
    assert!(
        other.contains("output differs") && !other.contains(note),
        "{other}"
    );
}

#[test]
fn figures_are_shown_where_a_report_cannot_be_written() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    let ran = dir.output(&[
        "bench",
        "script.py",
        "--rounds",
        "1",
        "--peers",
        "janus-tier0",
        "--html",
        "/dev/full",
    ]);
    refused(&ran, "cannot write /dev/full: No space left on device");
    assert!(ran.stdout.contains("janus-jit, tier 0"), "{}", ran.stdout);
}

#[test]
fn the_ablation_is_a_table_and_a_plot() {
    let dir = Dir::new();
    dir.file("script.py", STEPS);
    let ran = dir.output(&[
        "bench",
        "script.py",
        "--ablation",
        "--rounds",
        "1",
        "--markdown",
        "r.md",
        "--html",
        "r.html",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains(" times IMP "), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let table = read("r.md");
    let head = "| times IMP | IMP, steps/s | BASE | +UNRL | +SPCN | +PARL |";
    let (_, rows) = table.split_once(head).unwrap_or_else(|| panic!("{table}"));
    let row = rows.lines().find(|l| l.starts_with("| script |")).unwrap();
    // A script that is over at once has no rates.
    assert_eq!(row.matches('|').count(), 7, "{row}");
    assert!(read("r.html").contains("Where it comes from"));
}
