//! Scripts that are cut off or garbled: an error for the user, never a panic or a signal.

use crate::support::{Dir, repository};

/// A small generator of numbers (xorshift), with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[track_caller]
fn survives(dir: &Dir, source: &[u8], what: &str) {
    let script = dir.file("fuzz.py", source);
    // A script that was garbled may loop for long.
    let mut command = std::process::Command::new("timeout");
    let output = command
        .args(["-s", "KILL", "20", env!("CARGO_BIN_EXE_janus-jit")])
        .args(["run", "--compile", "sync", "--cache", "off"])
        .arg(script)
        .current_dir(dir.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let kept = || {
        format!(
            "{what}: {:?}\n{stderr}\n----\n{}",
            output.status,
            String::from_utf8_lossy(source)
        )
    };
    assert!(
        !stderr.contains("panicked") && !stderr.contains("internal error"),
        "{}",
        kept()
    );
    assert!(
        matches!(output.status.code(), Some(0 | 1 | 124 | 137)),
        "{}",
        kept()
    );
}

fn programs() -> Vec<Vec<u8>> {
    [
        "test/programs/deopt/deopt_branch.py",
        "test/programs/deopt/deopt_rebind.py",
        "test/programs/language/lang_classes.py",
        "examples/digits_mlp.py",
    ]
    .iter()
    .map(|path| std::fs::read(repository(path)).unwrap())
    .collect()
}

#[test]
fn truncated_scripts() {
    let dir = Dir::new();
    let mut random = Random(0x5eed_0001);
    for source in programs() {
        for _ in 0..12 {
            let at = random.below(source.len());
            survives(&dir, &source[..at], &format!("cut at {at}"));
        }
    }
}

#[test]
fn garbled_scripts() {
    let dir = Dir::new();
    let mut random = Random(0x5eed_0002);
    let pieces: [&[u8]; 14] = [
        b"(",
        b")",
        b"\n",
        b"    ",
        b"\"\"\"",
        b"\\",
        b"\x00",
        b"\xff",
        b"lambda: ",
        b"async ",
        b"yield ",
        b"*",
        b"f'{",
        b":=",
    ];
    for source in programs() {
        for round in 0..12 {
            let mut garbled = source.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(garbled.len());
                if random.below(2) == 0 {
                    let piece = pieces[random.below(pieces.len())];
                    garbled.splice(at..at, piece.iter().copied());
                } else {
                    let end = (at + random.below(20)).min(garbled.len());
                    garbled.drain(at..end);
                }
            }
            survives(&dir, &garbled, &format!("round {round}"));
        }
    }
}

#[test]
fn random_bytes() {
    let dir = Dir::new();
    let mut random = Random(0x5eed_0003);
    for round in 0..25 {
        let len = random.below(400);
        let ascii = round % 2 == 0;
        let bytes: Vec<u8> = (0..len)
            .map(|_| {
                let byte = random.below(256) as u8;
                if ascii { byte & 0x7f } else { byte }
            })
            .collect();
        survives(&dir, &bytes, &format!("round {round}"));
    }
}

#[test]
fn deep_nesting() {
    let dir = Dir::new();
    for (open, close) in [("(", ")"), ("[", "]"), ("-", ""), ("not ", ""), ("f(", ")")] {
        let source = format!("x = {}1{}\n", open.repeat(20_000), close.repeat(20_000));
        survives(&dir, source.as_bytes(), open);
    }
}
