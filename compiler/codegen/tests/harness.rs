//! Programs of primitives that run twice: by the eager kernels while they are written down, and
//! compiled.
//!
//! In: inputs and primitives. Out: nothing, or a panic that names the first difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Instant;

use janus_codegen::{
    Arg, CompileOptions, CompileStats, Compiled, Emulation, Out, compile, emulation_tally,
};
use janus_dialect::Graph;
use janus_tensor::ops::{Axes, Dims, Prim, Steps};
use janus_tensor::tensor::Layout;
use janus_tensor::{Buffer, DType, Dim, Scalar, dispatch, kernels};

/// Which extents the compiled code does not know.
#[derive(Clone, Debug)]
pub enum Extents {
    /// None.
    Static,
    /// All that are above one.
    Dynamic,
    /// These.
    Some(BTreeSet<i64>),
}

impl Extents {
    /// Whether the compiled code does not know this extent.
    pub fn is_dynamic(&self, extent: i64) -> bool {
        match self {
            Extents::Static => false,
            Extents::Dynamic => extent > 1,
            Extents::Some(set) => set.contains(&extent),
        }
    }
}

struct Node {
    prim: Prim,
    operands: Vec<usize>,
}

/// Values, numbered; the first ones are inputs.
#[derive(Default)]
pub struct Program {
    pub values: Vec<Layout>,
    nodes: Vec<Node>,
    inputs: usize,
}

pub fn dims(extents: &[i64]) -> Dims {
    extents.iter().map(|&n| Dim::Known(n)).collect()
}

impl Program {
    /// A program of these inputs.
    pub fn new(inputs: Vec<Layout>) -> Program {
        Program {
            inputs: inputs.len(),
            values: inputs,
            nodes: Vec::new(),
        }
    }

    /// Adds a primitive; `None` if it has no eager kernel for these operands.
    pub fn try_add(&mut self, prim: Prim, operands: &[usize]) -> Option<usize> {
        let layouts: Vec<&Layout> = operands.iter().map(|&v| &self.values[v]).collect();
        let value = kernels::run(&prim, &layouts).ok()?;
        self.values.push(value);
        self.nodes.push(Node {
            prim,
            operands: operands.to_vec(),
        });
        Some(self.values.len() - 1)
    }

    /// Adds a primitive.
    pub fn add(&mut self, prim: Prim, operands: &[usize]) -> usize {
        let name = prim.name();
        self.try_add(prim, operands)
            .unwrap_or_else(|| panic!("no eager kernel for {name}"))
    }

    /// Compiles the program and compares `outputs` with what the eager kernels computed.
    pub fn check(&self, outputs: &[usize], extents: &Extents) {
        let ready = self.ready(outputs, extents);
        let arguments = ready.arguments();
        let module = &ready.module;
        let before: Vec<Vec<u8>> = ready.inputs.iter().map(bytes).collect();
        // Twice, so that a freed result would be seen.
        for _ in 0..2 {
            // SAFETY: the inputs are row-major and alive, and equal extents are equal.
            let results = unsafe { ready.compiled.run(&arguments) }
                .unwrap_or_else(|error| panic!("{error}\n{module}"));
            assert_eq!(results.len(), outputs.len());
            for (result, &output) in results.into_iter().zip(outputs) {
                self.compare(result, output, module);
            }
        }
        check_emulated(module);
        let after: Vec<Vec<u8>> = ready.inputs.iter().map(bytes).collect();
        assert_eq!(before, after, "an argument was written to\n{module}");
    }

    /// Compiles the program and runs it `runs` times; returns the fastest tenth's mean.
    pub fn time(&self, outputs: &[usize], extents: &Extents, runs: usize) -> (CompileStats, f64) {
        let ready = self.ready(outputs, extents);
        let arguments = ready.arguments();
        let mut times: Vec<f64> = (0..runs)
            .map(|_| {
                let start = Instant::now();
                // SAFETY: as in `check`.
                drop(unsafe { ready.compiled.run(&arguments) });
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let best = &times[..(runs / 10).max(1)];
        (
            ready.compiled.stats(),
            best.iter().sum::<f64>() / best.len() as f64,
        )
    }

    fn ready(&self, outputs: &[usize], extents: &Extents) -> Ready {
        let mut text = Text {
            program: self,
            extents,
            body: String::new(),
            numbers: BTreeMap::new(),
        };
        let module = text.module(outputs);
        Ready {
            compiled: self.compile(&module),
            numbers: text.numbers.keys().copied().collect(),
            inputs: self.values[..self.inputs].iter().map(dense).collect(),
            module,
        }
    }

    fn compile(&self, module: &str) -> Compiled {
        compile_structured(module).unwrap_or_else(|error| {
            let text: String = error.to_string().chars().take(3000).collect();
            panic!("{text}\n{module}")
        })
    }

    fn compare(&self, result: Out, output: usize, module: &str) {
        let expected = &self.values[output];
        let Out::Tensor { buffer, sizes } = result else {
            panic!("a tensor was expected")
        };
        assert_eq!(
            &sizes[..],
            &expected.shape[..],
            "extents of value {output}\n{module}"
        );
        let found = Layout::from_buffer(buffer, &sizes, expected.dtype).unwrap();
        if let Some(difference) = difference(&found, expected) {
            panic!(
                "value {output} ({}): {difference}\n{module}",
                self.name(output)
            );
        }
    }

    fn name(&self, value: usize) -> &'static str {
        value
            .checked_sub(self.inputs)
            .map_or("input", |node| self.nodes[node].prim.name())
    }
}

/// A compiled program with what it runs on.
struct Ready {
    compiled: Compiled,
    numbers: Vec<i64>,
    inputs: Vec<Layout>,
    module: String,
}

impl Ready {
    fn arguments(&self) -> Vec<Arg<'_>> {
        let tensors = self.inputs.iter().map(|x| Arg::Tensor {
            ptr: x.ptr(),
            sizes: &x.shape,
        });
        tensors
            .chain(self.numbers.iter().map(|&n| Arg::I64(n)))
            .collect()
    }
}

/// All that is compiled runs on an emulated GPU, too.
const EMULATED: Emulation<'static> = Emulation {
    counts: false,
    name: "a program",
    seed: 7,
};

/// Fails if device code of this process gave other results than the CPU's.
pub fn check_emulated(module: &str) {
    let tally = emulation_tally().unwrap();
    assert!(
        tally.runs > 0 && tally.without.is_empty(),
        "{:?}",
        tally.without
    );
    assert!(
        tally.different.is_empty(),
        "{:?}\n{module}",
        tally.different
    );
}

/// Compiles the text of a module in the structured stage.
pub fn compile_structured(module: &str) -> Result<Compiled, Box<dyn std::error::Error>> {
    let options = CompileOptions {
        structured: true,
        emulate: Some(EMULATED),
        ..CompileOptions::default()
    };
    Ok(compile(Graph::parse(module)?, options)?)
}

/// A row-major copy.
fn dense(x: &Layout) -> Layout {
    let content = bytes(x);
    from_bytes(&content, &x.shape, x.dtype)
}

fn from_bytes(content: &[u8], shape: &[i64], dtype: DType) -> Layout {
    let buffer = Buffer::new(content.len()).unwrap();
    // SAFETY: the buffer has room for the bytes.
    unsafe {
        buffer
            .ptr()
            .copy_from_nonoverlapping(content.as_ptr(), content.len())
    };
    Layout::from_buffer(buffer, shape, dtype).unwrap()
}

fn bytes(x: &Layout) -> Vec<u8> {
    dispatch!(x.dtype; all: T => {
        let elements = x.to_vec::<T>().unwrap();
        // SAFETY: elements are plain data without padding.
        unsafe { std::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size_of_val(&elements[..])) }.to_vec()
    })
}

/// The first difference in bits; all NaNs are alike.
pub fn difference(found: &Layout, expected: &Layout) -> Option<String> {
    dispatch!(expected.dtype; all: T => {
        use janus_tensor::Element;
        let (found, expected) = (found.to_vec::<T>().unwrap(), expected.to_vec::<T>().unwrap());
        found.iter().zip(&expected).enumerate().find_map(|(i, (a, b))| {
            let same = match (a.to_scalar(), b.to_scalar()) {
                (Scalar::F64(x), Scalar::F64(y)) => x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()),
                _ => a == b,
            };
            (!same).then(|| format!("element {i} of {} is {a:?}, expected {b:?}", found.len()))
        })
    })
}

/// A program as the text of a function.
struct Text<'p> {
    program: &'p Program,
    extents: &'p Extents,
    body: String,
    /// Numbers that are known at run time only, with the names of their `index` values.
    numbers: BTreeMap<i64, String>,
}

impl Text<'_> {
    fn module(&mut self, outputs: &[usize]) -> String {
        for (i, node) in self.program.nodes.iter().enumerate() {
            let line = self.line(self.program.inputs + i, node);
            let _ = writeln!(self.body, "  {line}");
        }
        let mut text = String::from("func.func @region(");
        let mut arguments: Vec<String> = (0..self.program.inputs)
            .map(|v| format!("%{v}: {}", self.ty(v)))
            .collect();
        arguments.extend(self.numbers.keys().map(|n| format!("%word{n}: i64")));
        let mut results = vec!["i64".to_owned()];
        results.extend(outputs.iter().map(|&v| self.ty(v)));
        let results = results.join(", ");
        let _ = writeln!(text, "{}) -> ({results}) {{", arguments.join(", "));
        for (number, name) in &self.numbers {
            let _ = writeln!(
                text,
                "  {name} = arith.index_cast %word{number} : i64 to index"
            );
        }
        text += &self.body;
        let values: Vec<String> = outputs.iter().map(|v| format!(", %{v}")).collect();
        let _ = writeln!(text, "  %ok = arith.constant -1 : i64");
        let _ = writeln!(text, "  func.return %ok{} : {results}\n}}", values.concat());
        text
    }

    /// The type of a value.
    fn ty(&self, value: usize) -> String {
        let layout = &self.program.values[value];
        self.tensor_type(&layout.shape, layout.dtype)
    }

    fn tensor_type(&self, shape: &[i64], dtype: DType) -> String {
        let mut text = String::from("tensor<");
        for &extent in shape {
            if self.extents.is_dynamic(extent) {
                text += "?x";
            } else {
                let _ = write!(text, "{extent}x");
            }
        }
        text + element_name(dtype) + ">"
    }

    /// The name of an `index` value for a number.
    fn number(&mut self, number: i64) -> String {
        self.numbers
            .entry(number)
            .or_insert_with(|| format!("%n{number}"))
            .clone()
    }

    /// ` sizes(...)` for the dynamic extents of a shape.
    fn sizes(&mut self, shape: &[i64]) -> String {
        let names: Vec<String> = shape
            .iter()
            .filter(|&&extent| self.extents.is_dynamic(extent))
            .map(|&extent| self.number(extent))
            .collect();
        if names.is_empty() {
            String::new()
        } else {
            format!(" sizes({})", names.join(", "))
        }
    }

    /// `[starts]` of a slice; numbers above one are dynamic where extents are.
    fn starts(&mut self, starts: &Dims) -> String {
        let names: Vec<String> = starts
            .iter()
            .map(|start| match start.known() {
                Some(n) if n > 1 && matches!(self.extents, Extents::Dynamic) => self.number(n),
                Some(n) => n.to_string(),
                None => panic!("a known start was expected"),
            })
            .collect();
        format!("[{}]", names.join(", "))
    }

    fn line(&mut self, value: usize, node: &Node) -> String {
        let ty = self.ty(value);
        let shape = self.program.values[value].shape.to_vec();
        let operands: Vec<String> = node.operands.iter().map(|v| format!("%{v}")).collect();
        let types: Vec<String> = node.operands.iter().map(|&v| self.ty(v)).collect();
        let all = operands.join(", ");
        let function = format!("({}) -> {ty}", types.join(", "));
        let name = node.prim.name();
        let from = types.first().cloned().unwrap_or_default();
        let rest = match &node.prim {
            Prim::Unary(_) | Prim::Binary(_) | Prim::Select | Prim::Detach | Prim::WithSlope => {
                format!("{all} : {ty}")
            }
            Prim::Compare(predicate) => format!("{} {all} : {from}", predicate.name()),
            Prim::Cast(_) => format!("{all} : {from} -> {ty}"),
            Prim::Iota { dim, .. } => format!("dim {dim}{} : {ty}", self.sizes(&shape)),
            Prim::Broadcast { dims, .. } => {
                format!(
                    "{all} dims {}{} : {from} -> {ty}",
                    list(dims),
                    self.sizes(&shape)
                )
            }
            Prim::Reshape { .. } => format!("{all}{} : {from} -> {ty}", self.sizes(&shape)),
            Prim::Permute { dims } => format!("{all} dims {} : {from} -> {ty}", list(dims)),
            Prim::Slice {
                starts, strides, ..
            }
            | Prim::Unslice {
                starts, strides, ..
            } => {
                let starts = self.starts(starts);
                let sizes = self.sizes(&shape);
                format!("{all}{starts}{sizes} strides {strides:?} : {from} -> {ty}")
            }
            Prim::UpdateSlice {
                starts, strides, ..
            } => {
                let starts = self.starts(starts);
                format!("{all}{starts} strides {strides:?} : {}", types.join(", "))
            }
            Prim::Reverse { dims } | Prim::Backwards { dims } => {
                format!("{all} dims {} : {ty}", list(dims))
            }
            Prim::Reduce { dims, .. } => format!("{all} dims {} : {from} -> {ty}", list(dims)),
            Prim::Arg { dim, .. } => format!("{all} dim {dim} : {from} -> {ty}"),
            Prim::Cumsum { dim } => format!("{all} dim {dim} : {ty}"),
            Prim::Argsort {
                dim,
                descending,
                part,
            } => {
                let (part, k) = part.code();
                format!(
                    "{all} dim {dim} {descending} {{part = {part} : i64, k = {k} : i64}} : {from} -> {ty}"
                )
            }
            Prim::Dot => format!("{all} : {function}"),
            Prim::Conv { window, .. } => format!(
                "{all} strides {:?} padding {:?} dilation {:?} groups {}{} : {} -> {ty}",
                window.strides,
                window.padding,
                window.dilation,
                window.groups,
                self.sizes(&shape),
                types.join(", ")
            ),
            Prim::PoolArgmax { window, .. } => format!(
                "{all} kernel {:?} strides {:?} padding {:?} dilation {:?}{} : {from} -> {ty}",
                window.kernel,
                window.strides,
                window.padding,
                window.dilation,
                self.sizes(&shape)
            ),
            Prim::Concat { dim }
            | Prim::Gather { dim }
            | Prim::ScatterAdd { dim }
            | Prim::Take { dim }
            | Prim::TakeAdd { dim } => format!("{all} dim {dim} : {function}"),
            Prim::Windows { .. } => panic!("a step of a view, for which the dialect has no op"),
            Prim::Complex(_) | Prim::Fourier { .. } => panic!("the dialect has no complex numbers"),
        };
        format!("%{value} = janus.{name} {rest}")
    }
}

fn list(axes: &Axes) -> String {
    format!("{axes:?}")
}

/// The element type in MLIR.
pub fn element_name(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::I64 => "i64",
        DType::I32 => "i32",
        DType::I16 => "i16",
        DType::I8 => "i8",
        DType::U8 => "ui8",
        DType::Bool => "i1",
        DType::C64 | DType::C128 | DType::U16 | DType::U32 | DType::U64 => {
            panic!("the dialect has no {dtype}")
        }
    }
}

/// Strides of one.
pub fn unit_steps(rank: usize) -> Steps {
    Steps::from_elem(1, rank)
}

/// A small generator of numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A float of moderate size, seldom an extreme one.
    pub fn float(&mut self, extremes: bool) -> f64 {
        const EXTREMES: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-40,
            3e38,
            -88.5,
            0.5,
            2.5,
        ];
        if extremes && self.below(8) == 0 {
            return self.pick(&EXTREMES);
        }
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (unit - 0.5) * [1.0, 4.0, 20.0][self.below(3)]
    }

    /// A tensor of random elements.
    pub fn tensor(&mut self, shape: &[i64], dtype: DType, extremes: bool) -> Layout {
        let count: i64 = shape.iter().product();
        let mut content = Vec::new();
        for _ in 0..count {
            match dtype {
                DType::F32 => content.extend((self.float(extremes) as f32).to_ne_bytes()),
                DType::F64 => content.extend(self.float(extremes).to_ne_bytes()),
                DType::Bool => content.push((self.next() & 1) as u8),
                _ => {
                    let small = self.below(21) as i64 - 10;
                    let number = if extremes && self.below(6) == 0 {
                        self.next() as i64
                    } else {
                        small
                    };
                    content.extend(&number.to_ne_bytes()[..dtype.size()]);
                }
            }
        }
        from_bytes(&content, shape, dtype)
    }

    /// Indices below `extent`.
    pub fn indices(&mut self, shape: &[i64], extent: i64) -> Layout {
        let count: i64 = shape.iter().product();
        let content: Vec<u8> = (0..count)
            .flat_map(|_| (self.below(extent as usize) as i64).to_ne_bytes())
            .collect();
        from_bytes(&content, shape, DType::I64)
    }
}
