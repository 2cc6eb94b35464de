//! What compiled code consists of: its loops, the routines it calls, the buffers it makes.
//!
//! In: the text `janus_description` that the code carries (see the pass `janus-describe`) and the ops of
//! the graph whose numbers stand in it. Out: [`Contents`]. Always: read from the lowered module; a
//! number that the graph does not have is malformed.

use std::sync::Arc;

use janus_dialect::Origin;

/// What compiled code consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Its functions, kernels and those that run and make nothing aside. The first is the region.
    pub functions: Vec<FunctionContents>,
}

/// What a function consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionContents {
    /// Its name.
    pub name: String,
    /// What it runs, in order.
    pub steps: Vec<Step>,
    /// What it makes, in order.
    pub buffers: Vec<Buffer>,
    /// Bytes of the allocation that planned buffers are parts of.
    pub arena: u64,
}

/// Something that a function runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// The kernel, routine or graph; empty for what has no name.
    pub name: String,
    /// Whether it stands in a loop of the function.
    pub repeated: bool,
    /// The ops of the graph that it is of.
    pub ops: Vec<OpUse>,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// A loop nest over elements.
    Loop,
    /// A routine of the library, such as a matrix product.
    Call,
    /// A copy of a whole buffer.
    Copy,
    /// A graph that is a function of its own.
    Graph,
}

/// Memory for a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    /// It leaves the region.
    pub result: bool,
    /// Its size, where it is known before the code runs.
    pub bytes: Option<u64>,
    /// It is a part of the function's arena.
    pub planned: bool,
    /// Whether it is made in a loop of the function.
    pub repeated: bool,
    /// The ops of the graph that it is of.
    pub ops: Vec<OpUse>,
}

/// An op of the graph in its code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpUse {
    /// Its name.
    pub op: Arc<str>,
    /// It is not the op, but its gradient.
    pub gradient: bool,
    /// The user's file; empty if unknown.
    pub file: Arc<str>,
    /// The line; 0 if unknown.
    pub line: u32,
}

impl Contents {
    /// Reads the text; `None` if it is malformed.
    pub(crate) fn parse(text: &str, origins: &[Origin]) -> Option<Contents> {
        let mut contents = Contents::default();
        for line in text.lines() {
            let (head, ops) = match line.split_once(" of ") {
                Some((head, numbers)) => (head, numbers),
                None => (line, ""),
            };
            let (what, rest) = head.split_once(' ').unwrap_or((head, ""));
            if what == "function" {
                contents.functions.push(FunctionContents {
                    name: line.strip_prefix("function ")?.to_owned(),
                    ..FunctionContents::default()
                });
                continue;
            }
            let function = contents.functions.last_mut()?;
            let ops = ops
                .split_whitespace()
                .map(|number| op_use(number, origins))
                .collect::<Option<Vec<_>>>()?;
            let (rest, repeated) = match rest.strip_suffix("repeated") {
                Some(rest) => (rest.trim_end(), true),
                None => (rest, false),
            };
            let step = |kind| Step {
                kind,
                name: rest.to_owned(),
                repeated,
                ops: ops.clone(),
            };
            match what {
                "loop" => function.steps.push(step(StepKind::Loop)),
                "call" => function.steps.push(step(StepKind::Call)),
                "copy" => function.steps.push(step(StepKind::Copy)),
                "graph" => function.steps.push(step(StepKind::Graph)),
                "arena" => function.arena = rest.parse().ok()?,
                "buffer" => {
                    let mut words = rest.split_whitespace();
                    let result = match words.next()? {
                        "result" => true,
                        "temporary" => false,
                        _ => return None,
                    };
                    let bytes = match words.next()? {
                        "?" => None,
                        bytes => Some(bytes.parse().ok()?),
                    };
                    let planned = words.next() == Some("planned");
                    function.buffers.push(Buffer {
                        result,
                        bytes,
                        planned,
                        repeated,
                        ops,
                    });
                }
                _ => return None,
            }
        }
        let mut is_region = true;
        contents.functions.retain(|f| {
            std::mem::take(&mut is_region) || !f.steps.is_empty() || !f.buffers.is_empty()
        });
        Some(contents)
    }
}

fn op_use(text: &str, origins: &[Origin]) -> Option<OpUse> {
    let (number, gradient) = match text.strip_suffix('\'') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let origin = origins.get(number.parse::<usize>().ok()?)?;
    Some(OpUse {
        op: origin.op.clone(),
        gradient,
        file: origin.file.clone(),
        line: origin.line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins() -> Vec<Origin> {
        let origin = |op: &str, line| Origin {
            op: op.into(),
            file: "a.py".into(),
            line,
        };
        vec![origin("mul", 3), origin("tanh", 4)]
    }

    fn used(op: &str, gradient: bool, line: u32) -> OpUse {
        OpUse {
            op: op.into(),
            gradient,
            file: "a.py".into(),
            line,
        }
    }

    #[test]
    fn reads_what_the_pass_writes() {
        let text = "function <module>:loop of it\narena 128\nbuffer temporary 64 planned repeated of 0\n\
                    loop janus_kernel_0 repeated of 0 1'\nloop\nfunction f.adjoint\n\
                    buffer result ? of 1\ncall janus_rt_gemm_f32 of 1\ngraph f.adjoint\nfunction exp\n";
        let contents = Contents::parse(text, &origins()).unwrap();
        let [region, adjoint] = &contents.functions[..] else {
            panic!("{contents:?}");
        };
        assert_eq!((&*region.name, region.arena), ("<module>:loop of it", 128));
        let planned = Buffer {
            result: false,
            bytes: Some(64),
            planned: true,
            repeated: true,
            ops: vec![used("mul", false, 3)],
        };
        assert_eq!(region.buffers, [planned]);
        let kernel = Step {
            kind: StepKind::Loop,
            name: "janus_kernel_0".to_owned(),
            repeated: true,
            ops: vec![used("mul", false, 3), used("tanh", true, 4)],
        };
        assert_eq!(region.steps[0], kernel);
        assert_eq!((&*region.steps[1].name, region.steps[1].ops.len()), ("", 0));
        assert_eq!(
            (adjoint.buffers[0].result, adjoint.buffers[0].bytes),
            (true, None)
        );
        let kinds: Vec<StepKind> = adjoint.steps.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [StepKind::Call, StepKind::Graph]);
    }

    #[test]
    fn rejects_what_is_malformed() {
        for text in [
            "loop",
            "function f\nloop x of 2",
            "function f\nloop x of a",
            "function f\nbuffer other 3",
            "function f\nbuffer result",
            "function f\narena x",
            "function f\nwhat",
        ] {
            assert_eq!(Contents::parse(text, &origins()), None, "{text}");
        }
    }
}
