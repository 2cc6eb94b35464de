//! Every input that is kept, and what is near it: cut at every length, and with a bit turned.

use std::path::Path;
use std::time::{Duration, Instant};

use janus_untrusted::{READERS, Reader};

/// Longer inputs are read as they are, and not cut.
const SHORT: usize = 400;
/// Bits turned in each input.
const TURNED: usize = 40;
/// What one input may take, and what the process may.
const LIMIT: Duration = Duration::from_secs(10);
const MEMORY: u64 = 4 << 30;

fn bound_memory() {
    let limit = libc::rlimit {
        rlim_cur: MEMORY,
        rlim_max: MEMORY,
    };
    // SAFETY: the structure is filled.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) };
}

/// The input and those made of it.
fn near(whole: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![whole.to_vec()];
    if whole.len() > SHORT || whole.is_empty() {
        return all;
    }
    all.extend((0..whole.len()).map(|n| whole[..n].to_vec()));
    for i in 0..TURNED {
        // A fixed sequence that visits all parts.
        let at = i * 7919 % (whole.len() * 8);
        let mut turned = whole.to_vec();
        turned[at / 8] ^= 1 << (at % 8);
        all.push(turned);
    }
    all
}

#[test]
fn nothing_that_was_found_comes_back() {
    bound_memory();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut wrong = Vec::new();
    for reader in READERS {
        let folder = std::fs::read_dir(corpus.join(reader.name)).unwrap();
        let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{}", reader.name);
        for path in paths {
            for input in near(&std::fs::read(&path).unwrap()) {
                let start = Instant::now();
                if let Err(message) = reader.check(&input) {
                    wrong.push(format!("{}: {message}", path.display()));
                }
                if start.elapsed() > LIMIT {
                    wrong.push(format!("{}: {:?}", path.display(), start.elapsed()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_nests_deeply_is_refused() {
    bound_memory();
    let source = Reader::named("source").unwrap();
    for unit in [
        "(",
        "[",
        "{",
        "-",
        "not ",
        "a.",
        "f()",
        "1**",
        "1+",
        "1<",
        "lambda:",
        "1 if a else ",
        "a[0]",
        "'a'",
        "*a",
        "@a\n",
        "if a:\n pass\nelif a:\n pass\n",
        "a=",
        "a,",
        "f'{",
        "await ",
        "x:=(",
        "yield ",
        "a;",
        "\t",
        "\\\n",
    ] {
        for end in ["", "1"] {
            source
                .check((unit.repeat(100_000) + end).as_bytes())
                .unwrap();
        }
    }
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("(lambda:", ")"),
        ("f(", ")"),
        ("f'{", "}'"),
    ] {
        for depth in [90, 199, 201, 50_000] {
            let text = open.repeat(depth) + "1" + &close.repeat(depth);
            source.check(text.as_bytes()).unwrap();
        }
    }
    let pickles = Reader::named("pickles").unwrap();
    let lists = "]".repeat(100_000) + &"a".repeat(99_999) + ".";
    pickles.check(lists.as_bytes()).unwrap();
    pickles.check("(".repeat(100_000).as_bytes()).unwrap();
    for (name, unit) in [
        ("json", "["),
        ("json", "{\"\":"),
        ("literal", "("),
        ("patterns", "("),
        ("formats", "{"),
    ] {
        let bytes = unit.repeat(100_000);
        Reader::named(name)
            .unwrap()
            .check(bytes.as_bytes())
            .unwrap();
    }
}

#[test]
fn each_reader_has_its_own_name() {
    for reader in READERS {
        assert!(std::ptr::eq(
            janus_untrusted::Reader::named(reader.name).unwrap(),
            reader
        ));
    }
}
