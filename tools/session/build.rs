//! Compiles the library in Python that is part of the program.
//!
//! In: the texts of `janus-library` and `janus-pylib`. Out: a file of bytecode for each, and `code.rs`, a table of
//! them. Always: what cannot be compiled is an error of the build.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use janus_syntax::Mode;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let folder = Path::new(&out).join("code");
    fs::create_dir_all(&folder)?;
    let mut table = String::from("&[\n");
    let standard = janus_library::all().map(|s| (s.name, s.text));
    let torch = janus_pylib::SOURCES.iter().map(|s| (s.name, s.text));
    for (name, text) in standard.chain(torch) {
        let filename = janus_bytecode::library_file(name);
        let code = janus_syntax::compile(text, &filename, Mode::Module)
            .map_err(|e| format!("{filename}: line {}: {}", e.line, e.message))?;
        let file = folder.join(name);
        fs::write(&file, janus_bytecode::pack(&code))?;
        writeln!(table, "    ({name:?}, include_bytes!({file:?})),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&out).join("code.rs"), table)?;
    Ok(())
}
