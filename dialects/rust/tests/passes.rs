//! Running passes from Rust.

use janus_dialect::Graph;
use janus_dialect::passes::{PRESETS, Passes, Selection};

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
    let error = graph
        .run_passes("builtin.module(no-such-pass)")
        .unwrap_err()
        .to_string();
    assert!(error.contains("no-such-pass"), "{error}");
}

/// The training step of test/lit, through everything that runs between `graph` and `graph-opt`.
#[test]
fn a_training_step_is_differentiated() {
    for batch in ["static", "dynamic"] {
        let file = format!(
            "{}/../../test/lit/Transforms/training_step_{batch}.mlir",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(file).unwrap();
        let mut graph = Graph::parse(&text).unwrap();
        let before = graph.op_count();
        let start = std::time::Instant::now();
        graph.run_passes("janus-graph-opt").unwrap();
        eprintln!(
            "{batch}: {before} ops to {} in {:?}",
            graph.op_count(),
            start.elapsed()
        );
        let after = graph.text();
        assert!(
            after.contains("janus.scatter_add") && !after.contains("janus.gradient"),
            "{after}"
        );
        let commits = graph.commits();
        assert_eq!(commits.len(), 13);
        assert_eq!(
            (commits[0].kind.as_str(), commits[0].first_result),
            ("set_grad", 2)
        );
        assert_eq!(
            (commits[12].kind.as_str(), commits[12].first_result),
            ("set_attr", 14)
        );
        assert!(
            commits
                .iter()
                .all(|commit| !commit.conditional && commit.values == 1)
        );
    }
}

#[test]
fn a_pass_that_gives_up_names_the_line() {
    let text = "janus.graph @f(%p: i1, %x: f64) -> f64 {\n\
                %t, %f = janus.switch %p, %x : f64\n\
                janus.return %t : f64 loc(\"train.py\":12:3)\n}";
    let mut graph = Graph::parse(text).unwrap();
    let error = graph.run_passes("janus-graph-opt").unwrap_err().to_string();
    assert!(
        error.contains("train.py:12:3: error: 'janus.return' op returns a value"),
        "{error}"
    );
}

/// The table of switches names what the pipelines have.
#[test]
fn every_switch_is_known_where_it_belongs() {
    use janus_dialect::passes::{PASSES, Passes, Where};
    let mut switches = 0;
    for pass in PASSES {
        for place in pass.places {
            let Where::Pipeline(pipeline) = *place else {
                continue;
            };
            let selection = format!("-{}", pass.name);
            let passes: Passes = selection
                .parse::<janus_dialect::passes::Selection>()
                .unwrap()
                .passes;
            let text = passes.pipeline(pipeline);
            assert_ne!(text, pipeline);
            // An empty module has no entry to pack; what matters here is that the switch is known.
            if let Err(e) = Graph::parse("module { }").unwrap().run_passes(&text) {
                assert!(e.to_string().contains("no public function"), "{e}");
            }
            switches += 1;
        }
    }
    assert!(switches >= 12);
    let unknown = Graph::parse("module { }")
        .unwrap()
        .run_passes("janus-graph-opt{off=unknown}")
        .unwrap_err()
        .to_string();
    assert!(
        unknown.contains("no pass 'unknown' to switch off"),
        "{unknown}"
    );
}

#[test]
fn the_numbers_of_ops_are_places_in_the_list_of_origins() {
    let text = "janus.graph @region(%x: tensor<3xf32>) -> tensor<3xf32> {\n  \
                %0 = janus.exp %x : tensor<3xf32> loc(\"a.py\":7:1)\n  \
                %1 = janus.neg %0 : tensor<3xf32>\n  \
                janus.return %1 : tensor<3xf32>\n}\n";
    let mut graph = Graph::parse(text).unwrap();
    let origins = graph.origins();
    let ops: Vec<&str> = origins.iter().map(|o| &*o.op).collect();
    assert_eq!(ops, ["module", "graph", "exp", "neg", "return"]);
    assert_eq!((&*origins[2].file, origins[2].line), ("a.py", 7));
    graph.run_passes("janus-number-ops").unwrap();
    let numbered = graph.whole_text();
    assert!(numbered.contains("loc(fused<4 : i64>"), "{numbered}");
    // Positions are no part of what code depends on.
    assert_eq!(graph.content(), Graph::parse(text).unwrap().content());
}

#[test]
fn switches_add_up_from_the_left() {
    assert_eq!(
        "-cse".parse::<Selection>().unwrap().passes,
        Passes::ALL.without(Passes::CSE)
    );
    assert_eq!(
        "-cse,+cse".parse::<Selection>().unwrap().passes,
        Passes::ALL
    );
    let some = "BASE,+unroll,-fuse".parse::<Selection>().unwrap().passes;
    assert!(some.has(Passes::UNROLL) && !some.has(Passes::FUSE));
    assert!(!some.has(Passes::SPECIALIZE));
    assert!("IMP".parse::<Selection>().unwrap().imperative);
}

#[test]
fn presets_grow_to_the_default() {
    let passes: Vec<Passes> = PRESETS.iter().filter_map(|p| p.passes).collect();
    assert!(passes.windows(2).all(|w| w[1].has(w[0]) && w[0] != w[1]));
    assert_eq!(passes.last(), Some(&Passes::ALL));
}

#[test]
fn nonsense_is_refused() {
    for text in [
        "",
        "cse",
        "+",
        "-",
        "+nothing",
        "base",
        "-cse,BASE",
        "-cse,",
    ] {
        assert!(text.parse::<Selection>().is_err(), "{text}");
    }
}

#[test]
fn pipelines_are_told_what_is_off() {
    let passes = "-cse,-dce,-fuse".parse::<Selection>().unwrap().passes;
    assert_eq!(
        passes.pipeline("janus-graph-opt"),
        "janus-graph-opt{off=cse,dce}"
    );
    assert_eq!(passes.pipeline("janus-buffers"), "janus-buffers{off=cse}");
    assert_eq!(passes.pipeline("janus-llvm"), "janus-llvm");
    assert_ne!(passes.key(), Passes::ALL.key());
}
