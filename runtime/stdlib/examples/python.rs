//! Runs a script in tier 0 with the standard library and nothing else: `python script.py args`.

use std::path::Path;

use janus_object::Value;

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(script) = arguments.first().cloned() else {
        eprintln!("usage: python script.py [argument ...]");
        std::process::exit(2);
    };
    let code = support::on_large_stack(move || {
        let mut interp = support::interpreter();
        let argv = arguments.iter().map(|a| Value::str(a.as_str())).collect();
        *interp.argv().items.borrow_mut() = argv;
        let outcome = interp.run_file(Path::new(&script));
        janus_stdlib::finish(&mut interp);
        outcome.code
    });
    std::process::exit(code);
}
