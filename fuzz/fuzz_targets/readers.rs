//! One reader of `janus_untrusted` under libFuzzer: which one says the variable `JANUS_READER`. One program for all
//! of them is linked once.

#![no_main]

use std::sync::LazyLock;

use janus_untrusted::Reader;
use libfuzzer_sys::fuzz_target;

static READER: LazyLock<&Reader> = LazyLock::new(|| {
    let name = std::env::var("JANUS_READER").unwrap_or_default();
    Reader::named(&name).unwrap_or_else(|| panic!("JANUS_READER={name} is no reader"))
});

fn check(bytes: &[u8]) {
    if let Err(message) = READER.check(bytes) {
        panic!("{message}");
    }
}

fuzz_target!(
    // Before the clock runs: the first input starts an interpreter, which imports torch.
    init: check(&[]),
    |bytes: &[u8]| check(bytes)
);
