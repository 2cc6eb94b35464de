//! Source text, up to verified bytecode.

use janus_syntax::Mode;

/// What compiles passes the verifier.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    for mode in [Mode::Module, Mode::Eval, Mode::Single] {
        if let Ok(code) = janus_syntax::compile(&text, "<input>", mode) {
            janus_bytecode::verify(&code).map_err(|e| e.to_string())?;
            janus_bytecode::disassemble(&code);
        }
    }
    // It has a walk of its own over the tree.
    let _ = janus_syntax::dump_ast(&text, "<input>");
    Ok(())
}
