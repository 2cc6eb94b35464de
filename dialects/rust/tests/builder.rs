//! Building, printing and parsing graphs.

use janus_dialect::{Attr, DType, DialectError, Graph, GraphBuilder, Loc, Type, ValueId};

fn matrix() -> Type {
    Type::tensor(DType::F32, [None, Some(4)])
}

fn at(line: u32) -> Loc {
    Loc::new("train.py", line, 5)
}

fn argument(builder: &mut GraphBuilder) -> Result<ValueId, DialectError> {
    let attrs = [("index", Attr::I64(0)), ("slot", Attr::I64(0))];
    let results = builder.op("janus.argument", &[], &attrs, &[matrix()], &at(1))?;
    Ok(results[0])
}

#[test]
fn a_graph_with_loads_and_commits_prints_and_parses() -> Result<(), DialectError> {
    let mut builder = GraphBuilder::new("step");
    let x = argument(&mut builder)?;
    let model = builder.op(
        "janus.get_global",
        &[],
        &[("name", Attr::Str("model".into()))],
        &[Type::Object],
        &at(2),
    )?[0];
    let y = builder.op("janus.tanh", &[x], &[], &[matrix()], &at(3))?[0];
    let mask = builder.op(
        "janus.compare",
        &[x, y],
        &[("predicate", Attr::Str("lt".into()))],
        &[Type::tensor(DType::Bool, [None, Some(4)])],
        &at(4),
    )?[0];
    let z = builder.op("janus.select", &[mask, x, y], &[], &[matrix()], &at(4))?[0];
    let start = builder.op("janus.start", &[], &[], &[Type::Token], &at(5))?[0];
    let token = builder.op(
        "janus.set_attr",
        &[start, model, z],
        &[("name", Attr::Str("out".into())), ("slot", Attr::I64(0))],
        &[Type::Token],
        &at(5),
    )?[0];
    assert_eq!(builder.type_of(z), matrix());
    let graph = builder.finish(&[z, token])?;
    assert_eq!(graph.op_count(), 7);
    let text = graph.text();
    assert!(
        text.contains("janus.compare lt %0, %2 : tensor<?x4xf32>"),
        "{text}"
    );
    assert!(text.contains("janus.set_attr"), "{text}");

    let whole = graph.whole_text();
    assert!(whole.contains("\"train.py\":3:5"), "{whole}");
    assert_eq!(Graph::parse(&whole)?.whole_text(), whole);
    Ok(())
}

#[test]
fn what_an_op_that_stays_uses_is_not_erased() -> Result<(), DialectError> {
    let mut builder = GraphBuilder::new("step");
    let x = argument(&mut builder)?;
    let mark = builder.mark();
    let unary = |builder: &mut GraphBuilder, name: &str, of| {
        builder
            .op(name, &[of], &[], &[matrix()], &at(2))
            .map(|r| r[0])
    };
    let inner = unary(&mut builder, "janus.tanh", x)?;
    let outer = unary(&mut builder, "janus.exp", inner)?;
    let gone = unary(&mut builder, "janus.neg", outer)?;
    builder.erase_since(mark, |v| v != outer);
    assert_eq!(builder.first_since(mark), Some(inner));
    assert_eq!(builder.type_of(outer), matrix());
    assert!(unary(&mut builder, "janus.neg", gone).is_err());
    let graph = builder.finish(&[outer])?;
    assert_eq!(graph.op_count(), 3, "{}", graph.text());
    assert!(graph.text().contains("janus.tanh %0"), "{}", graph.text());
    Ok(())
}

#[test]
fn errors_name_the_line() {
    let mut builder = GraphBuilder::new("step");
    let x = builder
        .op(
            "janus.iota",
            &[],
            &[("dim", Attr::I64(0))],
            &[Type::tensor(DType::F32, [Some(4)])],
            &at(1),
        )
        .unwrap()[0];
    let error = builder
        .op(
            "janus.tanh",
            &[x],
            &[],
            &[Type::tensor(DType::F32, [Some(5)])],
            &at(7),
        )
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("train.py:7:5: error: 'janus.tanh' op"),
        "{text}"
    );
    // The builder is still good.
    let y = builder.op(
        "janus.tanh",
        &[x],
        &[],
        &[Type::tensor(DType::F32, [Some(4)])],
        &at(8),
    );
    builder.finish(&y.unwrap()).unwrap();
}

#[test]
fn bad_input_is_an_error() {
    let mut builder = GraphBuilder::new("step");
    let unknown = builder.op("janus.frobnicate", &[], &[], &[], &at(1));
    assert!(matches!(unknown, Err(DialectError::UnknownOp(_))));
    let x = builder.scalar(Attr::F64(1.0), &at(1)).unwrap();
    let few = builder.op("janus.add", &[x], &[], &[Type::F64], &at(1));
    assert!(matches!(few, Err(DialectError::Mlir { .. })));
    let short = Attr::Dense {
        ty: Type::tensor(DType::F32, [Some(2)]),
        bytes: vec![0; 4],
    };
    let constant = builder.op(
        "janus.constant",
        &[],
        &[("value", short)],
        &[Type::tensor(DType::F32, [Some(2)])],
        &at(1),
    );
    assert!(matches!(constant, Err(DialectError::BadAttribute { .. })));
    let other = GraphBuilder::new("other");
    assert!(other.finish(&[x]).is_err());
    assert!(Graph::parse("janus.graph @f( {").is_err());
}

#[test]
fn constants_of_every_type() -> Result<(), DialectError> {
    let mut builder = GraphBuilder::new("constants");
    let mut returned = Vec::new();
    for dtype in [
        DType::F32,
        DType::F64,
        DType::I64,
        DType::I32,
        DType::I16,
        DType::I8,
        DType::U8,
        DType::Bool,
    ] {
        for count in [0, 1, 3] {
            let ty = Type::tensor(dtype, [Some(count)]);
            let mut bytes = vec![0; dtype.size() * count as usize];
            if let Some(first) = bytes.first_mut() {
                *first = 1;
            }
            let attr = Attr::Dense {
                ty: ty.clone(),
                bytes,
            };
            returned.extend(builder.op(
                "janus.constant",
                &[],
                &[("value", attr)],
                &[ty],
                &at(1),
            )?);
        }
    }
    let graph = builder.finish(&returned)?;
    let text = graph.text();
    assert!(
        text.contains("dense<[true, false, false]> : tensor<3xi1>"),
        "{text}"
    );
    assert!(text.contains("dense<[1, 0, 0]> : tensor<3xui8>"), "{text}");
    Ok(())
}

#[test]
fn a_loop_with_a_back_edge() -> Result<(), DialectError> {
    let mut builder = GraphBuilder::new("count");
    let loc = at(1);
    let zero = builder.scalar(Attr::I64(0), &loc)?;
    let frame = [("frame", Attr::Str("loop".into()))];
    let entered = builder.op("janus.enter", &[zero], &frame, &[Type::I64], &loc)?[0];
    let back = builder.forward(Type::I64, &loc)?;
    let merged = builder.op(
        "janus.merge",
        &[entered, back],
        &[],
        &[Type::I64, Type::I64],
        &loc,
    )?[0];
    let limit = builder.scalar(Attr::I64(10), &loc)?;
    let below = builder.op(
        "arith.cmpi",
        &[merged, limit],
        &[("predicate", Attr::I64(2))],
        &[Type::I1],
        &loc,
    )?[0];
    let cond = builder.op("janus.loop_cond", &[below], &[], &[Type::I1], &loc)?[0];
    let sides = builder.op(
        "janus.switch",
        &[cond, merged],
        &[],
        &[Type::I64, Type::I64],
        &loc,
    )?;
    let one = builder.scalar(Attr::I64(1), &loc)?;
    let more = builder.op("arith.addi", &[sides[0], one], &[], &[Type::I64], &loc)?[0];
    let next = builder.op("janus.next_iteration", &[more], &[], &[Type::I64], &loc)?[0];
    builder.resolve(back, next)?;
    let result = builder.op("janus.exit", &[sides[1]], &[], &[Type::I64], &loc)?;
    let graph = builder.finish(&result)?;
    assert!(!graph.text().contains("unrealized"), "{}", graph.text());
    Ok(())
}

#[test]
fn a_context_is_cheap() {
    drop(GraphBuilder::new("warm")); // the first one registers passes
    let start = std::time::Instant::now();
    for _ in 0..20 {
        drop(GraphBuilder::new("step"));
    }
    let each = start.elapsed() / 20;
    eprintln!("a context with an empty graph: {each:?}");
    assert!(each.as_millis() < 10, "{each:?}");
}
