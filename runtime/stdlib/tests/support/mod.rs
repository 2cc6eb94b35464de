//! Runs Python source in an interpreter as the command has it.
//!
//! In: source text. Out: what it printed and its exit code. Always: each run has an interpreter of
//! its own on a thread with a large stack.

/// Runs a program: what went to standard output and error together, and the exit code.
pub fn run(source: &str, filename: &str) -> (String, i32) {
    janus_session::on_large_stack(|| {
        let mut vm = janus_session::plain();
        let output = janus_session::Sink::default();
        vm.output()
            .redirect(Box::new(output.clone()), Box::new(output.clone()));
        let program = janus_object::Value::str(filename);
        vm.argv().items.borrow_mut().push(program);
        let outcome = vm.run_source(source, filename);
        janus_stdlib::finish(&mut vm);
        (output.text(), outcome.code)
    })
}
