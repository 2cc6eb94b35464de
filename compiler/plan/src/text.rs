//! A plan as text, for `--emit plan` and for tests.
//!
//! In: a [`Plan`]. Out: its guard, arguments, asserts, recipes, commits and exit, a line each. Always: there is no
//! address in it, so equal plans are equal texts.

use std::fmt::{self, Display, Write as _};

use janus_torch::Draw;

use crate::arguments::{GraphDraw, Load};
use crate::asserts::Assertion;
use crate::commits::{Commit, Exit, Wrote};
use crate::nodes::{Check, Extent, Namespace, Node, NodeId, ScalarType, Step};
use crate::plan::Plan;
use crate::recipes::{Fresh, GradName, History, Recipe, RecipeId, RowForm, TextPiece};
use crate::words::{check_in_words, value_in_words};

/// Things with commas between them.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")?;
        }
        Ok(())
    }
}

fn recipes(ids: &[RecipeId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| recipe_name(*id)).collect();
    List(&names).to_string()
}

fn recipe_name(id: RecipeId) -> String {
    format!("r{id}")
}

fn or_unset(id: Option<RecipeId>) -> String {
    id.map_or_else(|| "unset".to_owned(), recipe_name)
}

impl Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScalarType::Float => "float",
            ScalarType::Int => "int",
            ScalarType::Bool => "bool",
        })
    }
}

impl Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Known(n) => write!(f, "{n}"),
            Extent::Of(node, dim) => write!(f, "{node}.shape[{dim}]"),
            Extent::Int(node) => write!(f, "{node}"),
            Extent::Op(op, a, b) => write!(f, "{op:?}({a}, {b})"),
            Extent::IntOp(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
            Extent::Compare(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Local(i) => write!(f, "local {i}"),
            Step::Cell(i) => write!(f, "content of cell {i}"),
            Step::FrameCell(i) => write!(f, "cell {i}"),
            Step::Stack(i) => write!(f, "stack {i}"),
            Step::Namespace(space, name) => match space {
                Namespace::Globals(_) => write!(f, "global {name}"),
                Namespace::Function(_, of) => write!(f, "attribute {name} of function {of}"),
                Namespace::Class(class) => {
                    write!(f, "attribute {name} of class {}", class.display_name())
                }
            },
            Step::CellContent(_) => f.write_str("content of a callee's cell"),
            Step::InstanceAttr(of, name) => write!(f, "{of}.{name}"),
            Step::InstanceDict(of) => write!(f, "{of}.__dict__"),
            Step::Item(of, i) => write!(f, "{of}[{i}]"),
            Step::ItemFromEnd(of, i) => write!(f, "{of}[-{i}]"),
            Step::ItemAt(of, at) | Step::DictAt(of, at) => write!(f, "{of}[{at}]"),
            Step::SliceStart(of, [from, to]) => write!(f, "start of {of}[{from}:{to}]"),
            Step::SliceLength(of, [from, to]) => write!(f, "len({of}[{from}:{to}])"),
            Step::IntOp(op, a, b) => write!(f, "{a} {} {b}", op.symbol()),
            Step::IntCompare(op, a, b) => write!(f, "{a} {} {b}", op.symbol()),
            Step::Extent(extent) => write!(f, "{extent}"),
            Step::Tuple(items) => write!(f, "({})", List(items)),
            Step::Text(pieces) => write!(f, "text of {}", List(pieces)),
            Step::KeyEqual(a, b) => write!(f, "{a} == {b}"),
            Step::HasKey(of, key) => write!(f, "{key} in {of}"),
            Step::DictValue(of, key) => write!(f, "{of}[{}]", value_in_words(key)),
            Step::DictKeyAt(of, i) => write!(f, "key {i} of {of}"),
            Step::Identity(of) => write!(f, "id({of})"),
            Step::Grad(of) => write!(f, "{of}.grad"),
            Step::ViewBase(of) => write!(f, "{of}._base"),
            Step::DequeItems(of) => write!(f, "items of {of}"),
            Step::DequeBound(of) => write!(f, "{of}.maxlen"),
            Step::MethodFunction(of) => write!(f, "{of}.__func__"),
            Step::MethodReceiver(of) => write!(f, "{of}.__self__"),
            Step::Stored(of) => write!(f, "what {of} stores"),
            Step::Length(of) => write!(f, "len({of})"),
            Step::Fold(fold, of, from) => write!(f, "{fold:?} of {of}[{from}:]"),
            Step::Rows(of, None) => write!(f, "items of {of} as rows"),
            Step::Rows(of, Some(part)) => write!(f, "elements {part} of the items of {of} as rows"),
            Step::Pinned(value) => write!(f, "{}", value_in_words(value)),
        }
    }
}

/// A check, with what only its parts say.
fn check(check: &Check) -> String {
    let mut text = match check {
        Check::SameAs(other) => return format!("the same object as {other}"),
        Check::Instance {
            layout: Some(_), ..
        } => format!("{}, with its attributes", check_in_words(check)),
        other => check_in_words(other),
    };
    if let Check::Tensor(tensor) = check {
        let mut say = |holds: bool, what: &str| {
            if holds {
                text.push_str(what);
            }
        };
        say(!tensor.leaf, ", no leaf");
        say(tensor.hooked, ", with a hook");
        say(tensor.inference, ", made in inference mode");
        say(tensor.contiguous == Some(true), ", contiguous");
        say(tensor.contiguous == Some(false), ", not contiguous");
        if let Some(Some(order)) = &tensor.order {
            // Writing to a String cannot fail.
            let _ = write!(text, ", dimensions in the order {order:?}");
        }
        if let Some(strides) = &tensor.strides {
            let _ = write!(text, ", strides {strides:?}");
        }
        if let Some(through) = &tensor.shows {
            let _ = write!(text, ", a view of its base: {through:?}");
        }
        let class = tensor.class.display_name();
        if class != "Tensor" {
            let _ = write!(text, ", of class {class}");
        }
    }
    text
}

impl Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.path, self.step, check(&self.check))?;
        if self.line > 0 {
            write!(f, " (line {})", self.line)?;
        }
        Ok(())
    }
}

impl Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Load::Tensor(node) => write!(f, "elements of {node}"),
            Load::Extents(node) => write!(f, "extents of {node}"),
            Load::Scalar(node, ty) => write!(f, "{ty} {node}"),
            Load::Draw(i) => write!(f, "draw {i}"),
            Load::Address(node) => write!(f, "address of {node}"),
            Load::Fields => f.write_str("the table of fields"),
            Load::CallsLeft => f.write_str("how many calls deeper Python may go"),
            Load::Drawing => f.write_str("the generators"),
        }
    }
}

impl Display for GraphDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphDraw::Torch(draw, dtype, _) => write!(f, "{draw:?} as {}", dtype.name())?,
            GraphDraw::TorchFrom(draw, dtype, _) => write!(f, "{draw:?} as {}", dtype.name())?,
            GraphDraw::Python(_, draw) => write!(f, "random.{draw:?}")?,
        }
        match self.generator() {
            Some(node) => write!(f, " from {node}"),
            None => Ok(()),
        }
    }
}

impl Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}", self.reason.id(), self.line)?;
        if !self.expected.is_empty() {
            write!(f, ": {}", self.expected)?;
        }
        match self.branch {
            Some(branch) if branch.unfit => f.write_str(" (the other side does not fit in)"),
            _ => Ok(()),
        }
    }
}

impl Display for GradName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GradName::Of(name) => f.write_str(name),
            GradName::Either(out, names) => write!(f, "{} if o{out} else {}", names.0, names.1),
        }
    }
}

impl Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            History::None => f.write_str("no gradient"),
            History::Leaf => f.write_str("a leaf"),
            History::Consumed(name) => write!(f, "{name}, consumed"),
            History::OutOfDate(leaf, name) => write!(f, "{name}, out of date since {leaf} changed"),
            History::Output(i, name) => write!(f, "{name}, result {i} of the backward pass"),
            History::Either(out, both) => write!(f, "{} if o{out} else {}", both.0, both.1),
        }
    }
}

impl Display for RowForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowForm::Number(of) => write!(f, "a number of r{of}"),
            RowForm::Tensor(of, name) if name.is_empty() => write!(f, "a row of r{of}"),
            RowForm::Tensor(of, name) => write!(f, "a row of r{of} ({name})"),
            RowForm::Tuple(class, parts) => write!(f, "{}({})", class.display_name(), List(parts)),
            RowForm::Same(value) => f.write_str(&value_in_words(value)),
        }
    }
}

fn fresh(what: &Fresh) -> String {
    match what {
        Fresh::Tuple(items) => format!("tuple({})", recipes(items)),
        Fresh::List(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|(item, condition)| match condition {
                    Some(out) => format!("r{item} if o{out}"),
                    None => recipe_name(*item),
                })
                .collect();
            format!("list [{}]", List(&items))
        }
        Fresh::Rows(form, more, turned) => {
            let turned = if *turned { ", turned round" } else { "" };
            let more = match more.is_empty() {
                true => String::new(),
                false => format!(", then {}", recipes(more)),
            };
            format!("list of {form}{turned}{more}")
        }
        Fresh::Item(list, out) => format!("r{list}[o{out}]"),
        Fresh::Dict(entries) => {
            let entries: Vec<String> = entries.iter().map(|(k, v)| format!("r{k}: r{v}")).collect();
            format!("dict {{{}}}", List(&entries))
        }
        Fresh::Set(items) => format!("set {{{}}}", recipes(items)),
        Fresh::Instance(class, stored, attributes) => {
            let mut parts: Vec<String> = stored.iter().map(|id| recipe_name(*id)).collect();
            parts.extend(attributes.iter().map(|(name, id)| format!("{name}=r{id}")));
            format!("{} with ({})", class.display_name(), List(&parts))
        }
        Fresh::Method(function, receiver) => format!("method r{function} of r{receiver}"),
        Fresh::Function(form) => {
            let name = &form.code.code.qualname;
            let mut parts: Vec<String> = form.defaults.iter().map(|id| format!("=r{id}")).collect();
            let named = form.kw_defaults.iter();
            parts.extend(named.map(|(name, id)| format!("{name}=r{id}")));
            parts.extend(form.closure.iter().map(|id| format!("cell r{id}")));
            format!("function {name} ({})", List(&parts))
        }
        Fresh::Cell(content) => format!("cell of {}", or_unset(*content)),
        Fresh::Slice(parts) => format!("slice({})", recipes(parts)),
        Fresh::Text(pieces) => {
            let pieces: Vec<String> = pieces
                .iter()
                .map(|piece| match piece {
                    TextPiece::Text(text) => format!("{text:?}"),
                    TextPiece::Format { value, spec, .. } if spec.is_empty() => recipe_name(*value),
                    TextPiece::Format { value, spec, .. } => format!("r{value}:{spec}"),
                })
                .collect();
            format!("text {}", List(&pieces))
        }
        Fresh::Call(function, args) => format!("{}({})", value_in_words(function), recipes(args)),
    }
}

impl Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recipe::Const(value) => f.write_str(&value_in_words(value)),
            Recipe::Node(node) => write!(f, "{node}"),
            Recipe::Scalar(out) => write!(f, "number o{out}"),
            Recipe::Tensor(tensor) => {
                let (dtype, history) = (tensor.dtype.name(), &tensor.history);
                write!(f, "tensor o{} {dtype}, {history}", tensor.out)
            }
            Recipe::OneOf {
                condition,
                then,
                otherwise,
            } => write!(f, "r{then} if o{condition} else r{otherwise}"),
            Recipe::Maybe { condition, value } => write!(f, "r{value} if o{condition}"),
            Recipe::View {
                base,
                prim,
                grad_name,
                ..
            } => {
                write!(f, "view of r{base} by {prim:?}")?;
                match grad_name {
                    Some(name) => write!(f, ", {name}"),
                    None => Ok(()),
                }
            }
            Recipe::Data(of) => write!(f, "r{of}.data"),
            Recipe::Fresh(what) => f.write_str(&fresh(what)),
        }
    }
}

impl Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Commit::UpdateTensor {
                tensor,
                out,
                wrote,
                counted,
                history,
            } => {
                write!(f, "content of {tensor} = o{out}")?;
                match wrote {
                    Wrote::Always => {}
                    Wrote::If(out) => write!(f, " if o{out}")?,
                    Wrote::IfChanged => f.write_str(" if it changed")?,
                }
                if !counted {
                    f.write_str(", not counted")?;
                }
                match history {
                    Some(history) => write!(f, ", {history}"),
                    None => Ok(()),
                }
            }
            Commit::SetGrad { tensor, grad } => match grad {
                Some(grad) => write!(f, "r{tensor}.grad = r{grad}"),
                None => write!(f, "r{tensor}.grad = None"),
            },
            Commit::SetAttr {
                object,
                name,
                value,
            } => write!(f, "r{object}.{name} = {}", or_unset(*value)),
            Commit::SetGlobal {
                namespace,
                name,
                value,
            } => write!(f, "{} = {}", namespace.path(name), or_unset(*value)),
            Commit::Fields { rows, names, .. } => {
                write!(f, "{} of the objects in r{rows}", List(names))
            }
            Commit::SetList { list, items } => write!(f, "r{list}[:] = {}", recipes(items)),
            Commit::Append {
                list,
                items,
                more,
                dropped,
            } => {
                write!(f, "append to r{list}:")?;
                for (item, condition) in items {
                    write!(f, " r{item}")?;
                    if let Some(out) = condition {
                        write!(f, " if o{out}")?;
                    }
                }
                if let Some(more) = more {
                    write!(f, " all of r{more}")?;
                }
                match dropped {
                    0 => Ok(()),
                    n => write!(f, ", losing its first {n}"),
                }
            }
            Commit::Add { set, items } => write!(f, "add to r{set}: {}", recipes(items)),
            Commit::Discard { set, item } => write!(f, "discard r{item} from r{set}"),
            Commit::SetItem {
                container,
                key,
                value,
            } => write!(f, "r{container}[r{key}] = {}", or_unset(*value)),
            Commit::SetFrameCell { index, value } => {
                write!(f, "cell {index} = {}", or_unset(*value))
            }
            Commit::SetCell { value, .. } => write!(f, "a callee's cell = {}", or_unset(*value)),
            Commit::Call {
                condition,
                function,
                args,
                kwargs,
            } => {
                let mut parts: Vec<String> = args.iter().map(|id| recipe_name(*id)).collect();
                parts.extend(kwargs.iter().map(|(name, id)| format!("{name}=r{id}")));
                write!(f, "call {} ({})", value_in_words(function), List(&parts))?;
                match condition {
                    Some(out) => write!(f, " if o{out}"),
                    None => Ok(()),
                }
            }
        }
    }
}

fn locals(changed: &[(u32, Option<RecipeId>)]) -> String {
    let all: Vec<String> = changed
        .iter()
        .map(|(local, value)| format!("; local {local} = {}", or_unset(*value)))
        .collect();
    all.concat()
}

impl Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Return(value) => write!(f, "return r{value}"),
            Exit::LoopHead {
                pc,
                depth,
                locals: changed,
            } => write!(
                f,
                "go on at instruction {pc}, stack of {depth}{}",
                locals(changed)
            ),
            Exit::Call {
                pc,
                depth,
                stack,
                locals: changed,
            } => {
                let above: Vec<String> = stack.iter().map(|v| or_unset(*v)).collect();
                write!(
                    f,
                    "go on with instruction {pc}, stack of {depth} and [{}]{}",
                    List(&above),
                    locals(changed)
                )
            }
        }
    }
}

/// A heading, and a line for each thing; nothing where there are none.
fn section<T: Display>(text: &mut String, heading: &str, letter: &str, things: &[T]) {
    if things.is_empty() {
        return;
    }
    let _ = writeln!(text, "{heading}:");
    for (i, thing) in things.iter().enumerate() {
        let _ = match letter {
            "" => writeln!(text, "  {thing}"),
            _ => writeln!(text, "  {letter}{i}  {thing}"),
        };
    }
}

impl Plan {
    /// All of it as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let out = &mut text;
        section(out, "guard", "n", &self.nodes);
        let mut also = Vec::new();
        if !self.unaliased.is_empty() {
            also.push(format!("alone in their memory: {}", List(&self.unaliased)));
        }
        let two = |(a, b): &(NodeId, NodeId)| format!("two objects: {a} and {b}");
        also.extend(self.distinct.iter().map(two));
        let early = |(id, extent): &(u32, _)| format!("assert {id}, told at entry: {extent}");
        also.extend(self.early.iter().map(early));
        if !self.grad_enabled {
            also.push("gradients are off".to_owned());
        }
        if self.inference {
            also.push("inference mode is on".to_owned());
        }
        section(out, "and", "", &also);
        section(out, "assumed", "", &self.assumptions);
        section(out, "arguments", "slot ", &self.loads);
        let draws: Vec<String> = self
            .draws
            .iter()
            .map(|d| {
                let draw: Option<Draw<String>> = d.draw.try_map(|extent| Some(extent.to_string()));
                let draw = draw.map_or_else(String::new, |draw| format!("{draw:?}"));
                format!("{draw} as {}[{}]", d.dtype.name(), List(&d.shape))
            })
            .collect();
        section(out, "drawn at entry", "draw ", &draws);
        section(out, "drawn by the graph", "", &self.graph_draws);
        let fields: Vec<String> = self.fields.fields.iter().map(ToString::to_string).collect();
        section(out, "read by the graph", "field ", &fields);
        section(out, "asserts", "", &numbered(&self.asserts));
        section(out, "made", "r", &self.recipes);
        section(out, "commits", "", &self.commits);
        if let Some(backward) = &self.backward {
            let passed: Vec<String> = backward
                .outputs
                .iter()
                .map(|p| format!("gradient of o{} ({})", p.out, p.dtype.name()))
                .collect();
            let _ = writeln!(
                out,
                "backward pass: from {} to {}",
                List(&passed),
                List(&backward.inputs)
            );
        }
        let _ = writeln!(out, "exit: {}", self.exit);
        if let Some(ends) = &self.ends {
            let (line, reason, detail) = (ends.line, ends.reason().entry().id, ends.detail());
            let _ = writeln!(out, "ends before line {line}: {reason}: {detail}");
        }
        text
    }
}

/// Asserts with their ids.
fn numbered(asserts: &[Assertion]) -> Vec<String> {
    let each = asserts.iter().enumerate();
    each.map(|(id, assert)| format!("id {id}  {assert}"))
        .collect()
}
