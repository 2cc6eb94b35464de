//! `match`, as CPython compiles it.
//!
//! In: a `match` statement. Out: its instructions. Always: a name is bound only if its whole
//! pattern matches.
//!
//! A pattern consumes the subject on top of the stack. Names are bound only when the whole pattern
//! has matched: until then their values wait on the stack, below what the pattern still works on.

use std::rc::Rc;

use janus_bytecode::{CompareOp, Const, Opcode};
use rustpython_parser::ast::{
    Expr, Pattern, PatternMatchAs, PatternMatchClass, PatternMatchMapping, PatternMatchOr, Ranged,
    StmtMatch,
};
use rustpython_parser::text_size::TextRange;

use super::constant::{constant, literal};
use super::expr::Display;
use super::{Access, Codegen};
use crate::assemble::Label;
use crate::error::{Result, err};
use crate::parse::is_tuple_subject;

/// The state of one `case`.
#[derive(Default)]
struct Context<'a> {
    /// Names captured so far; their values are on the stack, the first name's on top.
    stores: Vec<&'a str>,
    /// Whether a pattern that always matches may stand here.
    allow_irrefutable: bool,
    /// `fail_pop[n]` pops n values and goes to the next case.
    fail_pop: Vec<Label>,
    /// Values on the stack above those captured.
    on_top: usize,
}

fn is_wildcard(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::MatchAs(p) if p.name.is_none() && p.pattern.is_none())
}

fn is_star_wildcard(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::MatchStar(p) if p.name.is_none())
}

impl<'a> Codegen<'a> {
    pub(super) fn match_statement(&mut self, s: &'a StmtMatch) -> Result<()> {
        if is_tuple_subject(self.source, s) {
            self.display(std::slice::from_ref(&*s.subject), Display::Tuple, 0)?;
        } else {
            self.expr(&s.subject)?;
        }
        let end = self.label();
        let last_index = s.cases.len().saturating_sub(1);
        let has_default =
            s.cases.len() > 1 && s.cases.last().is_some_and(|c| is_wildcard(&c.pattern));
        // Values kept for the next case: the subject, unless this case is the last to look at it.
        let last_looking = if has_default {
            last_index - 1
        } else {
            last_index
        };
        for (at, case) in s.cases.iter().enumerate() {
            let outer = std::mem::replace(&mut self.unit.at, case.pattern.range());
            if has_default && at == last_index {
                // `case _:` does not look at the subject, which is gone already.
                if let Some(guard) = &case.guard {
                    self.jump_if(guard, end, false)?;
                }
                self.unit.at = outer;
                self.body(&case.body)?;
                break;
            }
            if at != last_looking {
                self.op_arg(Opcode::Copy, 1);
            }
            let mut context = Context {
                allow_irrefutable: case.guard.is_some() || at == last_index,
                ..Context::default()
            };
            self.pattern(&case.pattern, &mut context)?;
            for name in std::mem::take(&mut context.stores) {
                self.variable(name, Access::Store)?;
            }
            if let Some(guard) = &case.guard {
                let fail = self.fail_label(&mut context, 0);
                self.jump_if(guard, fail, false)?;
            }
            if at != last_looking {
                self.op(Opcode::PopTop);
            }
            self.unit.at = outer;
            self.body(&case.body)?;
            self.jump(Opcode::Jump, end);
            self.at(case.pattern.range(), |c| c.bind_fail_labels(&mut context));
        }
        self.bind(end);
        Ok(())
    }

    fn fail_label(&mut self, context: &mut Context<'a>, pops: usize) -> Label {
        while context.fail_pop.len() <= pops {
            let label = self.label();
            context.fail_pop.push(label);
        }
        context.fail_pop[pops]
    }

    /// Jumps to the next case, dropping everything that this pattern has on the stack.
    fn jump_to_fail(&mut self, context: &mut Context<'a>, op: Opcode) {
        let pops = context.on_top + context.stores.len();
        let label = self.fail_label(context, pops);
        self.jump(op, label);
    }

    fn bind_fail_labels(&mut self, context: &mut Context<'a>) {
        let labels = std::mem::take(&mut context.fail_pop);
        for (pops, label) in labels.into_iter().enumerate().rev() {
            self.bind(label);
            if pops > 0 {
                self.op(Opcode::PopTop);
            }
        }
    }

    /// Moves the top below the `count - 1` values under it.
    fn rotate(&mut self, count: usize) {
        for n in (2..=count).rev() {
            self.op_arg(Opcode::Swap, n as u32);
        }
    }

    /// Captures the top under a name, or drops it.
    fn capture(&mut self, name: Option<&'a str>, context: &mut Context<'a>) -> Result<()> {
        let Some(name) = name else {
            self.op(Opcode::PopTop);
            return Ok(());
        };
        if context.stores.contains(&name) {
            let message = format!("multiple assignments to name '{name}' in pattern");
            return err(message, self.unit.at);
        }
        self.rotate(context.on_top + context.stores.len() + 1);
        context.stores.push(name);
        Ok(())
    }

    fn pattern(&mut self, pattern: &'a Pattern, context: &mut Context<'a>) -> Result<()> {
        self.at(pattern.range(), |c| match pattern {
            Pattern::MatchValue(p) => {
                c.pattern_value(&p.value)?;
                c.op_arg(Opcode::CompareOp, CompareOp::Eq as u32);
                c.jump_to_fail(context, Opcode::PopJumpIfFalse);
                Ok(())
            }
            Pattern::MatchSingleton(p) => {
                c.load_const(literal(&p.value));
                c.op_arg(Opcode::IsOp, 0);
                c.jump_to_fail(context, Opcode::PopJumpIfFalse);
                Ok(())
            }
            Pattern::MatchSequence(p) => c.pattern_sequence(&p.patterns, context),
            Pattern::MatchMapping(p) => c.pattern_mapping(p, context),
            Pattern::MatchClass(p) => c.pattern_class(p, context),
            Pattern::MatchStar(p) => c.capture(p.name.as_deref(), context),
            Pattern::MatchAs(p) => c.pattern_as(p, context),
            Pattern::MatchOr(p) => c.pattern_or(p, context),
        })
    }

    /// A part of a pattern, where one that always matches is fine.
    fn subpattern(&mut self, pattern: &'a Pattern, context: &mut Context<'a>) -> Result<()> {
        let outer = std::mem::replace(&mut context.allow_irrefutable, true);
        self.pattern(pattern, context)?;
        context.allow_irrefutable = outer;
        Ok(())
    }

    fn pattern_value(&mut self, value: &'a Expr) -> Result<()> {
        if value.is_constant_expr()
            || value.is_attribute_expr()
            || constant(value).is_some()
            || value.is_bin_op_expr()
        {
            self.expr(value)
        } else {
            err(
                "patterns may only match literals and attribute lookups",
                value.range(),
            )
        }
    }

    fn pattern_as(&mut self, p: &'a PatternMatchAs, context: &mut Context<'a>) -> Result<()> {
        let Some(inner) = &p.pattern else {
            if !context.allow_irrefutable {
                let message = match &p.name {
                    Some(name) => {
                        format!("name capture '{name}' makes remaining patterns unreachable")
                    }
                    None => "wildcard makes remaining patterns unreachable".to_owned(),
                };
                return err(message, p.range);
            }
            return self.capture(p.name.as_deref(), context);
        };
        // The copy is for the name.
        context.on_top += 1;
        self.op_arg(Opcode::Copy, 1);
        self.pattern(inner, context)?;
        context.on_top -= 1;
        self.capture(p.name.as_deref(), context)
    }

    fn pattern_sequence(
        &mut self,
        patterns: &'a [Pattern],
        context: &mut Context<'a>,
    ) -> Result<()> {
        let star = patterns.iter().position(|p| p.is_match_star());
        let only_wildcard = patterns
            .iter()
            .all(|p| is_wildcard(p) || is_star_wildcard(p));
        let star_wildcard = star.is_some_and(|at| is_star_wildcard(&patterns[at]));
        let size = patterns.len() as u32;

        context.on_top += 1;
        self.op(Opcode::MatchSequence);
        self.jump_to_fail(context, Opcode::PopJumpIfFalse);
        match star {
            None => self.check_length(CompareOp::Eq, size, context),
            // `[*rest]` takes any length.
            Some(_) if size == 1 => {}
            Some(_) => self.check_length(CompareOp::Ge, size - 1, context),
        }
        context.on_top -= 1;
        if only_wildcard {
            self.op(Opcode::PopTop);
            return Ok(());
        }
        match star {
            Some(at) if star_wildcard => self.sequence_by_index(patterns, at, context),
            _ => self.sequence_unpacked(patterns, star, context),
        }
    }

    /// [subject] -> [subject]; fails unless its length compares so with `size`.
    fn check_length(&mut self, op: CompareOp, size: u32, context: &mut Context<'a>) {
        self.op(Opcode::GetLen);
        self.load_const(Const::Int(i64::from(size)));
        self.op_arg(Opcode::CompareOp, op as u32);
        self.jump_to_fail(context, Opcode::PopJumpIfFalse);
    }

    fn sequence_unpacked(
        &mut self,
        patterns: &'a [Pattern],
        star: Option<usize>,
        context: &mut Context<'a>,
    ) -> Result<()> {
        let size = patterns.len();
        match star {
            None => self.op_arg(Opcode::UnpackSequence, size as u32),
            Some(before) => {
                let after = size - before - 1;
                if before >= 1 << 8 || after >= 1 << 23 {
                    let message = "too many expressions in star-unpacking sequence pattern";
                    return err(message, self.unit.at);
                }
                self.op_arg(Opcode::UnpackEx, (before | after << 8) as u32);
            }
        }
        context.on_top += size;
        for pattern in patterns {
            context.on_top -= 1;
            self.subpattern(pattern, context)?;
        }
        Ok(())
    }

    /// With `*_` nothing needs to be unpacked: the others are fetched by index.
    fn sequence_by_index(
        &mut self,
        patterns: &'a [Pattern],
        star: usize,
        context: &mut Context<'a>,
    ) -> Result<()> {
        context.on_top += 1;
        let size = patterns.len();
        for (at, pattern) in patterns.iter().enumerate() {
            if is_wildcard(pattern) || at == star {
                continue;
            }
            self.op_arg(Opcode::Copy, 1);
            if at < star {
                self.load_const(Const::Int(at as i64));
            } else {
                // From the end: there may be any number of elements in between.
                self.op(Opcode::GetLen);
                self.load_const(Const::Int((size - at) as i64));
                self.op_arg(Opcode::BinaryOp, janus_bytecode::BinaryOp::Sub as u32);
            }
            self.op(Opcode::BinarySubscr);
            self.subpattern(pattern, context)?;
        }
        context.on_top -= 1;
        self.op(Opcode::PopTop);
        Ok(())
    }

    fn pattern_mapping(
        &mut self,
        p: &'a PatternMatchMapping,
        context: &mut Context<'a>,
    ) -> Result<()> {
        let size = p.keys.len() as u32;
        context.on_top += 1;
        self.op(Opcode::MatchMapping);
        self.jump_to_fail(context, Opcode::PopJumpIfFalse);
        if size == 0 && p.rest.is_none() {
            context.on_top -= 1;
            self.op(Opcode::PopTop);
            return Ok(());
        }
        if size > 0 {
            self.check_length(CompareOp::Ge, size, context);
        }
        let mut seen: Vec<Const> = Vec::new();
        for key in &p.keys {
            match constant(key) {
                Some(value) => {
                    if seen.contains(&value) {
                        let text = crate::unparse::unparse(key);
                        let message = format!("mapping pattern checks duplicate key ({text})");
                        return err(message, p.range);
                    }
                    seen.push(value);
                }
                None if key.is_attribute_expr() || key.is_bin_op_expr() => {}
                None => {
                    let message =
                        "mapping pattern keys may only match literals and attribute lookups";
                    return err(message, key.range());
                }
            }
            self.expr(key)?;
        }
        self.op_arg(Opcode::BuildTuple, size);
        self.op(Opcode::MatchKeys);
        // [subject, keys, values or None]
        context.on_top += 2;
        self.op_arg(Opcode::Copy, 1);
        self.load_none();
        self.op_arg(Opcode::IsOp, 1);
        self.jump_to_fail(context, Opcode::PopJumpIfFalse);
        self.op_arg(Opcode::UnpackSequence, size);
        context.on_top += size as usize;
        context.on_top -= 1;
        for pattern in &p.patterns {
            context.on_top -= 1;
            self.subpattern(pattern, context)?;
        }
        // [subject, keys]
        context.on_top -= 2;
        match &p.rest {
            Some(rest) => {
                // rest = dict(subject) without the keys.
                self.op_arg(Opcode::BuildMap, 0);
                self.op_arg(Opcode::Swap, 3);
                // [rest, keys, subject]
                self.op_arg(Opcode::DictUpdate, 2);
                self.op_arg(Opcode::UnpackSequence, size);
                for left in (1..=size).rev() {
                    self.op_arg(Opcode::Copy, 1 + left);
                    self.op_arg(Opcode::Swap, 2);
                    self.op(Opcode::DeleteSubscr);
                }
                self.capture(Some(rest), context)
            }
            None => {
                self.op(Opcode::PopTop);
                self.op(Opcode::PopTop);
                Ok(())
            }
        }
    }

    fn pattern_class(&mut self, p: &'a PatternMatchClass, context: &mut Context<'a>) -> Result<()> {
        self.expr(&p.cls)?;
        let names: Rc<[Const]> = p
            .kwd_attrs
            .iter()
            .map(|name| Const::Str(name.as_str().into()))
            .collect();
        self.load_const(Const::Tuple(names));
        self.op_arg(Opcode::MatchClass, p.patterns.len() as u32);
        self.op_arg(Opcode::Copy, 1);
        self.load_none();
        self.op_arg(Opcode::IsOp, 1);
        context.on_top += 1;
        self.jump_to_fail(context, Opcode::PopJumpIfFalse);
        let size = p.patterns.len() + p.kwd_patterns.len();
        self.op_arg(Opcode::UnpackSequence, size as u32);
        context.on_top += size;
        context.on_top -= 1;
        for pattern in p.patterns.iter().chain(&p.kwd_patterns) {
            context.on_top -= 1;
            if is_wildcard(pattern) {
                self.op(Opcode::PopTop);
            } else {
                self.subpattern(pattern, context)?;
            }
        }
        Ok(())
    }

    fn pattern_or(&mut self, p: &'a PatternMatchOr, context: &mut Context<'a>) -> Result<()> {
        let end = self.label();
        // What the first alternative binds, in the order that all must leave on the stack.
        let mut control: Option<Vec<&'a str>> = None;
        let outer_stores = std::mem::take(&mut context.stores);
        let outer_fail = std::mem::take(&mut context.fail_pop);
        let outer_top = std::mem::replace(&mut context.on_top, 0);
        let outer_irrefutable = context.allow_irrefutable;
        let last = p.patterns.len().saturating_sub(1);
        for (at, alternative) in p.patterns.iter().enumerate() {
            context.stores.clear();
            context.fail_pop.clear();
            context.on_top = 0;
            context.allow_irrefutable = at == last && outer_irrefutable;
            let range = alternative.range();
            self.at(range, |c| c.op_arg(Opcode::Copy, 1));
            self.pattern(alternative, context)?;
            let names = std::mem::take(&mut context.stores);
            match &control {
                None => control = Some(names),
                Some(control) => self.at(range, |c| c.reorder(control, names, range))?,
            }
            self.at(range, |c| {
                c.jump(Opcode::Jump, end);
                c.bind_fail_labels(context);
            });
        }
        context.stores = outer_stores;
        context.fail_pop = outer_fail;
        context.on_top = outer_top;
        context.allow_irrefutable = outer_irrefutable;
        // No alternative matched.
        self.op(Opcode::PopTop);
        self.jump_to_fail(context, Opcode::Jump);
        self.bind(end);
        let control = control.unwrap_or_default();
        // [values captured before..., subject, values captured here...]: the new ones join the
        // others below everything that is on top, the copy of the subject goes.
        let count = control.len();
        let rotate = count + 1 + context.on_top + context.stores.len();
        for name in control {
            self.rotate(rotate);
            if context.stores.contains(&name) {
                let message = format!("multiple assignments to name '{name}' in pattern");
                return err(message, p.range);
            }
            context.stores.push(name);
        }
        self.op(Opcode::PopTop);
        Ok(())
    }

    /// Brings the values captured as `names` into the order of `control`.
    fn reorder(
        &mut self,
        control: &[&'a str],
        mut names: Vec<&'a str>,
        range: TextRange,
    ) -> Result<()> {
        let message = "alternative patterns bind different names";
        if names.len() != control.len() {
            return err(message, range);
        }
        for want in (0..control.len()).rev() {
            let Some(have) = names.iter().position(|n| *n == control[want]) else {
                return err(message, range);
            };
            if have != want {
                self.exchange(&mut names, have, want);
            }
        }
        Ok(())
    }

    /// Exchanges two captured values on the stack. The first name's value is on top.
    fn exchange(&mut self, names: &mut [&'a str], a: usize, b: usize) {
        let (above, below) = (a.min(b) as u32 + 1, a.max(b) as u32 + 1);
        if above == 1 {
            self.op_arg(Opcode::Swap, below);
        } else {
            self.op_arg(Opcode::Swap, above);
            self.op_arg(Opcode::Swap, below);
            self.op_arg(Opcode::Swap, above);
        }
        names.swap(a, b);
    }
}
