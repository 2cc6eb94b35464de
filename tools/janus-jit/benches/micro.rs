//! Micro-benchmarks: what single mechanisms cost, and kernels as a share of what the machine can do.
//!
//! In: nothing. Out: criterion's report; for kernels a line with the share of the roofline. Always: each figure is
//! per operation named; loops that carry a mechanism cost `dispatch/empty loop` themselves.
//!
//! `cargo bench -p janus-jit --bench micro [filter]`

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use janus_dialect::Graph;
use janus_interp::Interp;
use janus_tiering::{Emit, Options, Tiering, Trace, What};

/// An interpreter with these options that has run `source`.
fn prepared(options: Options, source: &str) -> Interp {
    let mut vm = janus_session::plain();
    Rc::new(Tiering::new(options, Arc::new(Emit::default()))).install(&mut vm);
    run(&mut vm, source);
    vm
}

fn run(vm: &mut Interp, source: &str) {
    let outcome = vm.run_text(source.as_bytes().to_vec(), janus_bytecode::COMMAND);
    assert_eq!(outcome.code, 0, "{source}");
}

fn tier(max_tier: u32) -> Options {
    Options {
        max_tier,
        sync: true,
        ..Options::default()
    }
}

/// Time of `n` executions of what `source` does `n` times; start-up does not count.
fn timed(options: &Options, source: &str, n: u64) -> Duration {
    let source = source.replace("$N", &n.to_string());
    let mut vm = prepared(options.clone(), "pass");
    let start = Instant::now();
    run(&mut vm, &source);
    start.elapsed()
}

fn scripts(c: &mut Criterion, group: &str, options: &Options, all: &[(&str, &str)]) {
    let mut group = c.benchmark_group(group);
    for (name, source) in all {
        group.bench_function(*name, |b| {
            b.iter_custom(|n| timed(options, source, n.max(1)));
        });
    }
    group.finish();
}

fn dispatch(c: &mut Criterion) {
    let all = [
        (
            "empty loop",
            "def f():\n    for i in range($N):\n        pass\nf()",
        ),
        (
            "int add",
            "def f():\n    a = 0\n    for i in range($N):\n        a = a + i\nf()",
        ),
        (
            "float multiply",
            "def f():\n    a = 1.0\n    for i in range($N):\n        a = a * 1.0000001\nf()",
        ),
        (
            "list item",
            "def f():\n    l = [1, 2, 3]\n    for i in range($N):\n        l[1]\nf()",
        ),
    ];
    scripts(c, "dispatch", &tier(0), &all);
}

fn caches(c: &mut Criterion) {
    const CLASS: &str = "class C:\n    def __init__(self):\n        self.x = 1\n    def m(self):\n        return 1\no = C()\n";
    let attribute = format!("{CLASS}def f(o):\n    for i in range($N):\n        o.x\nf(o)");
    let method = format!("{CLASS}def f(o):\n    for i in range($N):\n        o.m()\nf(o)");
    let all = [
        ("attribute", attribute.as_str()),
        ("method call", method.as_str()),
        (
            "function call",
            "def g(a):\n    return a\ndef f():\n    for i in range($N):\n        g(i)\nf()",
        ),
        (
            "global",
            "x = 1\ndef f():\n    for i in range($N):\n        x\nf()",
        ),
    ];
    scripts(c, "caches", &tier(0), &all);
}

/// Entries of a compiled region with few and with 100 more guards.
fn guards(c: &mut Criterion) {
    let source = |count: usize| {
        let fields: String = (0..count).map(|i| format!("o.a{i} = 1.5\n")).collect();
        let terms: String = (0..count).map(|i| format!(" + o.a{i}")).collect();
        format!(
            "import torch\nclass O: pass\no = O()\n{fields}def f(o, x):\n    return x{terms}\nx = torch.ones(2)\ndef run():\n    for i in range($N + 10):\n        y = f(o, x)\nrun()"
        )
    };
    let (few, many) = (source(1), source(101));
    scripts(
        c,
        "entry of a region",
        &tier(2),
        &[
            ("1 guarded attribute", &few),
            ("101 guarded attributes", &many),
        ],
    );
}

fn deopt(c: &mut Criterion) {
    let source = "import torch\nx = torch.ones(2)\ndef run():\n    y = x\n    for i in range($N + 10):\n        y = y * 0.5\nrun()";
    scripts(c, "deopt/none", &tier(2), &[("step", source)]);
    let stressed = Options {
        stress_deopt: Some(2),
        ..tier(2)
    };
    scripts(
        c,
        "deopt/every second entry",
        &stressed,
        &[("step", source)],
    );
}

const STEP: &str = "\
import torch
import torch.nn as nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
loss_of = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
x, y = torch.rand(64, 64), torch.randint(0, 10, (64,))
def step():
    optimizer.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()
for i in range(10):
    step()
";

/// The graph of a training step, as built, and how long building took.
fn training_step() -> (String, Duration) {
    let dir = std::env::temp_dir().join(format!("janus-micro-{}", std::process::id()));
    let emit = Emit::new(
        vec![janus_tiering::EmitStage::Graph],
        Some(dir.clone()),
        None,
    );
    let trace = Arc::new(Trace::new(Instant::now()));
    let options = Options {
        trace: Some(trace.clone()),
        ..tier(2)
    };
    let mut vm = janus_session::plain();
    Rc::new(Tiering::new(options, Arc::new(emit))).install(&mut vm);
    run(&mut vm, STEP);
    let built = trace
        .events()
        .0
        .iter()
        .filter(|e| e.what == What::Compile && e.name.starts_with("build graph"))
        .filter_map(|e| e.lasted)
        .max();
    let mut texts: Vec<String> = std::fs::read_dir(&dir)
        .map(|all| {
            all.filter_map(|e| std::fs::read_to_string(e.ok()?.path()).ok())
                .collect()
        })
        .unwrap_or_default();
    let _ = std::fs::remove_dir_all(&dir);
    texts.sort_by_key(String::len);
    (texts.pop().unwrap_or_default(), built.unwrap_or_default())
}

fn compile(c: &mut Criterion) {
    let (text, _) = training_step();
    let mut group = c.benchmark_group("compile a training step");
    group.bench_function("build graph", |b| {
        b.iter_custom(|n| (0..n.max(1)).map(|_| training_step().1).sum());
    });
    let Ok(mut graph) = Graph::parse(&text) else {
        println!("the step's graph does not parse");
        return;
    };
    for pipeline in [
        "janus-graph-opt",
        "janus-linalg",
        "janus-buffers",
        "janus-llvm",
    ] {
        let before = graph.whole_text();
        group.bench_function(pipeline, |b| {
            b.iter_batched(
                || Graph::parse(&before).ok(),
                |graph| graph.map(|mut g| g.run_passes(pipeline).is_ok()),
                BatchSize::PerIteration,
            );
        });
        if let Err(e) = graph.run_passes(pipeline) {
            println!("{pipeline}: {e}");
            return;
        }
    }
    group.bench_function("LLVM and link", |b| {
        b.iter_custom(|n| {
            let mut sum = Duration::ZERO;
            for _ in 0..n.max(1) {
                let options = janus_codegen::CompileOptions::default();
                if let Some(compiled) = Graph::parse(&text)
                    .ok()
                    .and_then(|g| janus_codegen::compile(g, options).ok())
                {
                    let stats = compiled.stats();
                    sum += stats.optimize + stats.emit + stats.link;
                }
            }
            sum
        });
    });
    group.finish();
}

/// Multiply-adds of f32 in as many independent chains as hide their latency: flops a second of one
/// core, at the vector width that this build uses.
fn peak_flops() -> f64 {
    #[inline(never)]
    fn chains(x: &mut [f32; 256], rounds: u32) {
        for _ in 0..rounds {
            for v in x.iter_mut() {
                *v = *v * 0.999 + 0.001;
            }
        }
        black_box(x);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,fma")]
    fn wide(x: &mut [f32; 256], rounds: u32) {
        for _ in 0..rounds {
            for v in x.iter_mut() {
                *v = v.mul_add(0.999, 0.001);
            }
        }
        black_box(x);
    }
    let mut x = [1.0; 256];
    let rounds = 400_000;
    let mut best = f64::INFINITY;
    // The best of some: others may be at work.
    for _ in 0..8 {
        let start = Instant::now();
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has what the function needs.
            unsafe { wide(&mut x, rounds) };
        } else {
            chains(&mut x, rounds);
        }
        #[cfg(not(target_arch = "x86_64"))]
        chains(&mut x, rounds);
        best = best.min(start.elapsed().as_secs_f64());
    }
    f64::from(rounds) * 256.0 * 2.0 / best
}

/// Bytes a second that one core reads from memory.
fn bandwidth() -> f64 {
    let data = vec![1u64; 32 << 20];
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        black_box(data.iter().fold(0u64, |a, b| a.wrapping_add(*b)));
        best = best.min(start.elapsed().as_secs_f64());
    }
    (data.len() * 8) as f64 / best
}

fn kernels(c: &mut Criterion) {
    let (flops, bytes) = (peak_flops(), bandwidth());
    println!(
        "one core: {:.0} Gflop/s, {:.1} GB/s",
        flops / 1e9,
        bytes / 1e9
    );
    // Name, setup, operation, flops and bytes of one.
    let all: &[(&str, &str, &str, f64, f64)] = &[
        (
            "matmul 256",
            "a = torch.rand(256, 256)",
            "a @ a",
            2.0 * 256f64.powi(3),
            3.0 * 4.0 * 65536.0,
        ),
        (
            "matmul 512",
            "a = torch.rand(512, 512)",
            "a @ a",
            2.0 * 512f64.powi(3),
            3.0 * 4.0 * 262_144.0,
        ),
        (
            "add 4M",
            "a = torch.rand(4194304)",
            "a + a",
            4_194_304.0,
            3.0 * 4.0 * 4_194_304.0,
        ),
        (
            "tanh 1M",
            "a = torch.rand(1048576)",
            "torch.tanh(a)",
            1_048_576.0 * 20.0,
            2.0 * 4.0 * 1_048_576.0,
        ),
        (
            "sum 4M",
            "a = torch.rand(4194304)",
            "a.sum()",
            4_194_304.0,
            4.0 * 4_194_304.0,
        ),
    ];
    let mut group = c.benchmark_group("kernels");
    for (name, setup, op, work, traffic) in all {
        let source =
            format!("import torch\n{setup}\ndef f():\n    for i in range($N):\n        {op}\n");
        let mut last = 0.0;
        group.throughput(Throughput::Bytes(*traffic as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter_custom(|n| {
                let n = n.max(1);
                let mut vm = prepared(tier(0), &source.replace("$N", &n.to_string()));
                run(&mut vm, "pass");
                let call = format!("{}f()", source.replace("$N", &n.to_string()));
                let start = Instant::now();
                run(&mut vm, &call);
                let time = start.elapsed();
                last = time.as_secs_f64() / n as f64;
                time
            });
        });
        // The roofline: whichever of arithmetic and memory takes longer.
        let least = (work / flops).max(traffic / bytes);
        println!(
            "    {name}: {:.0}% of what one core can do",
            least / last * 100.0
        );
    }
    group.finish();
}

fn main() {
    let mut c = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .without_plots()
        .configure_from_args();
    dispatch(&mut c);
    caches(&mut c);
    guards(&mut c);
    deopt(&mut c);
    compile(&mut c);
    kernels(&mut c);
    c.final_summary();
}
