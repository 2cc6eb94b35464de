//! Running passes from Rust.

use janus_dialect::Graph;

#[test]
fn passes_run_on_another_thread() {
    let text = "janus.graph @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  \
                %0 = janus.neg %x : tensor<4xf32>\n  %1 = janus.neg %0 : tensor<4xf32>\n  \
                janus.return %1 : tensor<4xf32>\n}";
    let mut graph = Graph::parse(text).unwrap();
    let after = std::thread::spawn(move || {
        graph.run_passes("builtin.module(canonicalize)").unwrap();
        graph.text()
    })
    .join()
    .unwrap();
    assert!(!after.contains("janus.neg"), "{after}");
}

#[test]
fn a_failing_pass_says_why() {
    let mut graph = Graph::parse("module { }").unwrap();
    let error = graph.run_passes("builtin.module(no-such-pass)").unwrap_err().to_string();
    assert!(error.contains("no-such-pass"), "{error}");
}
