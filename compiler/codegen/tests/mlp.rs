//! A training step of a small network, end to end.

use janus_codegen::{Arg, CompileOptions, Out, compile};
use janus_dialect::Graph;
use std::time::Instant;

#[test]
fn step() {
    let text = std::fs::read_to_string(std::env::var("JANUS_STEP").unwrap()).unwrap();
    let mut emit = |s: janus_codegen::Stage, t: &str| {
        std::fs::write(format!("/tmp/cgt/emit.{}", s.name()), t).unwrap();
    };
    for i in 0..3 {
    let compiled = compile(Graph::parse(&text).unwrap(), CompileOptions { emit: (i == 0).then_some(&mut emit as _), ..Default::default() }).unwrap();
    println!("{}", compiled.stats());
    let shapes: [&[i64]; 10] = [&[64, 64], &[64], &[128, 64], &[128], &[10, 128], &[10], &[128, 64], &[128], &[10, 128], &[10]];
    let data: Vec<Vec<f32>> = shapes.iter().map(|s| (0..s.iter().product::<i64>()).map(|i| ((i * 7919 % 1000) as f32 - 500.) / 5000.).collect()).collect();
    let y: Vec<i64> = (0..64).map(|i| i % 10).collect();
    let mut args: Vec<Arg> = data.iter().zip(shapes).map(|(d, s)| Arg::Tensor { ptr: d.as_ptr().cast(), sizes: s }).collect();
    args[1] = Arg::Tensor { ptr: y.as_ptr().cast(), sizes: shapes[1] };
    args.push(Arg::F64(0.1));
    args.push(Arg::F64(0.9));
    let out = unsafe { compiled.run(&args) }.unwrap();
    if let Out::F64(l) = out[0] { println!("loss {l}"); }
    drop(out);
    for _ in 0..3 {
    let start = Instant::now();
    for _ in 0..1000 { drop(unsafe { compiled.run(&args) }.unwrap()); }
    println!("{:.1} us", start.elapsed().as_secs_f64() * 1e3);
    }
    }
}
