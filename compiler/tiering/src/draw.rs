//! Graphs as pictures.
//!
//! In: the text of a module in MLIR's generic form. Out: DOT, and SVG laid out from it. Always: an op is a node,
//! a use an edge; what cannot be drawn is left out, never an error.

use std::collections::HashMap;
use std::fmt::Write as _;

/// Nodes that a layout is made for; larger graphs are for tools that scroll.
const MOST_DRAWN: usize = 300;

/// An op.
struct Node<'a> {
    op: &'a str,
    /// Its first result, without `%`.
    result: Option<&'a str>,
    operands: Vec<&'a str>,
    result_type: &'a str,
}

/// `%name` at the start of a text, without a `#n` behind it, and the rest.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('%')?;
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '.' || c == '-'))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest
        .strip_prefix(['#', ':'])
        .map_or(rest, |r| r.trim_start_matches(|c: char| c.is_ascii_digit()));
    Some((name, rest))
}

fn values(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while let Some((name, rest)) = value(text) {
        all.push(name);
        match rest.trim_start().strip_prefix(',') {
            Some(more) => text = more,
            None => break,
        }
    }
    all
}

/// One line of generic form: `%0:2 = "op"(%a, %b#1) ... : (types) -> type`.
fn node(line: &str) -> Option<Node<'_>> {
    let line = line.trim();
    let (result, rest) = match value(line) {
        Some((name, rest)) => {
            // More results of the same op share its node.
            (Some(name), rest.split_once('=')?.1.trim_start())
        }
        None => (None, line),
    };
    let (op, rest) = rest.strip_prefix('"')?.split_once('"')?;
    let operands = rest.strip_prefix('(').map(values).unwrap_or_default();
    let result_type = rest.rsplit_once("-> ").map_or("", |(_, t)| t.trim());
    Some(Node {
        op,
        result,
        operands,
        result_type,
    })
}

/// The graph as DOT, and the number of its nodes.
#[must_use]
pub fn dot(generic: &str) -> (String, usize) {
    let mut out = String::from(
        "digraph graph_of_region {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\", fontsize=11];\n",
    );
    let mut makers: HashMap<&str, usize> = HashMap::new();
    let mut nodes = Vec::new();
    let mut count = 0;
    let mut new_node = |out: &mut String, label: &str| {
        let escaped = label.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  n{count} [label=\"{escaped}\"];");
        count += 1;
        count - 1
    };
    for line in generic.lines() {
        if let Some(node) = node(line) {
            let short = node.op.strip_prefix("janus.").unwrap_or(node.op);
            if matches!(node.op, "builtin.module" | "janus.graph" | "func.func") {
                continue;
            }
            let shown = match node.result_type {
                "()" | "" => short.to_owned(),
                ty => format!("{short} {}", ty.split(" loc(").next().unwrap_or(ty)),
            };
            let id = new_node(&mut out, &shown);
            if let Some(result) = node.result {
                makers.insert(result, id);
            }
            nodes.push((id, node.operands));
        } else if let Some(arguments) = line
            .trim()
            .strip_prefix('^')
            .and_then(|l| l.split_once('('))
            .map(|(_, rest)| rest)
        {
            for argument in arguments.split('%').skip(1) {
                let end = argument
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(argument.len());
                let (name, rest) = argument.split_at(end);
                let ty = rest
                    .trim_start_matches([':', ' '])
                    .trim_end_matches([',', ' ', ')', ':']);
                let id = new_node(&mut out, &format!("{name} {ty}"));
                makers.insert(name, id);
            }
        }
    }
    // A value may be used before its line: graphs have cycles.
    for (id, operands) in nodes {
        for operand in operands {
            if let Some(maker) = makers.get(operand) {
                let _ = writeln!(out, "  n{maker} -> n{id};");
            }
        }
    }
    out.push_str("}\n");
    (out, count)
}

/// The graph as SVG; `None` where it is too large to be looked at.
#[must_use]
pub fn svg(generic: &str) -> Option<String> {
    let (dot, count) = dot(generic);
    if count == 0 || count > MOST_DRAWN {
        return None;
    }
    // The layout is a library's; if it gives up there is no picture.
    std::panic::catch_unwind(|| {
        let graph = layout::gv::DotParser::new(&dot).process().ok()?;
        let mut builder = layout::gv::GraphBuilder::new();
        builder.visit_graph(&graph);
        let mut picture = builder.get();
        let mut writer = layout::backends::svg::SVGWriter::new();
        picture.do_it(false, false, false, &mut writer);
        Some(writer.finalize())
    })
    .ok()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERIC: &str = r#"
"builtin.module"() ({
  "janus.graph"() <{sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x3xf32>, %arg1: i1):
    %0 = "janus.constant"() <{value = 2 : i64}> : () -> i64
    %1:2 = "janus.switch"(%arg1, %arg0) : (i1, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
    %2 = "janus.tanh"(%1#0) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %3 = "janus.merge"(%2, %1#1) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    "janus.yield"(%3) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
"#;

    #[test]
    fn ops_are_nodes_and_uses_are_edges() {
        let (dot, count) = dot(GENERIC);
        assert_eq!(count, 7, "{dot}");
        for part in [
            "arg0 tensor<4x3xf32>",
            "switch (tensor",
            "tanh tensor<4x3xf32>",
            "label=\"yield\"",
            "n1 -> n3;",
            "n4 -> n5;",
            "n3 -> n5;",
            "n5 -> n6;",
        ] {
            assert!(dot.contains(part), "no {part} in\n{dot}");
        }
    }

    #[test]
    fn it_is_laid_out() {
        let svg = svg(GENERIC).unwrap();
        assert!(svg.contains("<svg") && svg.contains("tanh"), "{svg}");
        assert!(super::svg("nothing").is_none());
    }
}
