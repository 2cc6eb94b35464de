//! Code objects as bytes.
//!
//! In: a [`Code`] with those nested in it. Out: bytes, and from bytes the same code again. Always: what is
//! read was written by the same version of this file, at build time, so there is no version in it; bytes that
//! are cut off or wrong give `None`, never a panic.

use std::collections::HashMap;
use std::rc::Rc;

use crate::{Code, CodeFlags, Const, ExceptionEntry, Inlined, Instr, Opcode, Span};

/// Code as bytes: the texts that it uses, each once, then the code.
pub fn pack(code: &Code) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.code(code);
    let mut out = Writer::default();
    out.number(writer.texts.len() as u64);
    for text in &writer.texts {
        out.bytes(text.as_bytes());
    }
    out.out.extend_from_slice(&writer.out);
    out.out
}

/// What [`pack`] made bytes of.
pub fn unpack(bytes: &[u8]) -> Option<Rc<Code>> {
    let mut reader = Reader {
        rest: bytes,
        texts: Vec::new(),
    };
    let count = reader.length()?;
    for _ in 0..count {
        let text = std::str::from_utf8(reader.bytes()?).ok()?;
        reader.texts.push(text.into());
    }
    let code = reader.code()?;
    reader.rest.is_empty().then(|| Rc::new(code))
}

#[derive(Default)]
struct Writer {
    out: Vec<u8>,
    texts: Vec<Rc<str>>,
    places: HashMap<Rc<str>, u64>,
}

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// Seven bits a byte, the low ones first.
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.byte(n as u8 | 0x80);
            n >>= 7;
        }
        self.byte(n as u8);
    }

    /// Small where the number is near zero.
    fn signed(&mut self, n: i64) {
        self.number((n.wrapping_shl(1) ^ (n >> 63)) as u64);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &Rc<str>) {
        let place = match self.places.get(text) {
            Some(place) => *place,
            None => {
                let place = self.texts.len() as u64;
                self.texts.push(text.clone());
                self.places.insert(text.clone(), place);
                place
            }
        };
        self.number(place);
    }

    fn texts(&mut self, texts: &[Rc<str>]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    fn constants(&mut self, tag: u8, items: &[Const]) {
        self.byte(tag);
        self.number(items.len() as u64);
        for item in items {
            self.constant(item);
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::None => self.byte(0),
            Const::Ellipsis => self.byte(1),
            Const::Bool(false) => self.byte(2),
            Const::Bool(true) => self.byte(3),
            Const::Int(n) => {
                self.byte(4);
                self.signed(*n);
            }
            Const::BigInt(digits) => {
                self.byte(5);
                self.text(digits);
            }
            Const::Float(x) => {
                self.byte(6);
                self.out.extend_from_slice(&x.to_le_bytes());
            }
            Const::Complex(re, im) => {
                self.byte(7);
                self.out.extend_from_slice(&re.to_le_bytes());
                self.out.extend_from_slice(&im.to_le_bytes());
            }
            Const::Str(text) => {
                self.byte(8);
                self.text(text);
            }
            Const::Bytes(bytes) => {
                self.byte(9);
                self.bytes(bytes);
            }
            Const::Tuple(items) => self.constants(10, items),
            Const::FrozenSet(items) => self.constants(11, items),
            Const::Code(code) => {
                self.byte(12);
                self.code(code);
            }
        }
    }

    fn code(&mut self, code: &Code) {
        self.text(&code.name);
        self.text(&code.qualname);
        self.text(&code.filename);
        self.number(code.first_line.into());
        self.number(code.instrs.len() as u64);
        for instr in &code.instrs {
            self.byte(instr.op as u8);
            self.number(instr.arg.into());
        }
        // Lines move little from one instruction to the next.
        let mut line = i64::from(code.first_line);
        for span in &code.spans {
            self.signed(i64::from(span.line) - line);
            line = span.line.into();
            self.signed(i64::from(span.end_line) - line);
            self.number(span.col.into());
            self.signed(i64::from(span.end_col) - i64::from(span.col));
        }
        self.number(code.consts.len() as u64);
        for constant in &code.consts {
            self.constant(constant);
        }
        self.texts(&code.names);
        self.texts(&code.varnames);
        self.texts(&code.cellvars);
        self.texts(&code.freevars);
        for n in [
            code.argcount,
            code.posonly_argcount,
            code.kwonly_argcount,
            code.stack_size,
        ] {
            self.number(n.into());
        }
        for flag in flags(&code.flags) {
            self.byte(flag.into());
        }
        self.number(code.exceptions.len() as u64);
        for entry in &code.exceptions {
            for n in [entry.start, entry.end, entry.target, entry.depth] {
                self.number(n.into());
            }
        }
        self.number(code.inlined.len() as u64);
        for inlined in &code.inlined {
            for n in [inlined.start, inlined.end, inlined.first_line] {
                self.number(n.into());
            }
            self.text(&inlined.name);
            self.text(&inlined.qualname);
        }
        self.byte(u8::from(code.doc.is_some()));
        if let Some(doc) = &code.doc {
            self.text(doc);
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    texts: Vec<Rc<str>>,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn signed(&mut self) -> Option<i64> {
        let n = self.number()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// How many items follow: each is a byte at least, so there are not more than bytes.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.rest.len()).then_some(length)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    fn float(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<Rc<str>> {
        let place = usize::try_from(self.number()?).ok()?;
        self.texts.get(place).cloned()
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.length()?;
        let mut items = Vec::with_capacity(length);
        for _ in 0..length {
            items.push(one(self)?);
        }
        Some(items)
    }

    fn constant(&mut self) -> Option<Const> {
        Some(match self.byte()? {
            0 => Const::None,
            1 => Const::Ellipsis,
            2 => Const::Bool(false),
            3 => Const::Bool(true),
            4 => Const::Int(self.signed()?),
            5 => Const::BigInt(self.text()?),
            6 => Const::Float(self.float()?),
            7 => Const::Complex(self.float()?, self.float()?),
            8 => Const::Str(self.text()?),
            9 => Const::Bytes(self.bytes()?.into()),
            10 => Const::Tuple(self.many(Self::constant)?.into()),
            11 => Const::FrozenSet(self.many(Self::constant)?.into()),
            12 => Const::Code(Rc::new(self.code()?)),
            _ => return None,
        })
    }

    fn instr(&mut self) -> Option<Instr> {
        let op = *Opcode::ALL.get(usize::from(self.byte()?))?;
        Some(Instr::new(op, self.small()?))
    }

    fn code(&mut self) -> Option<Code> {
        let (name, qualname, filename) = (self.text()?, self.text()?, self.text()?);
        let first_line = self.small()?;
        let instrs = self.many(Self::instr)?;
        let mut line = i64::from(first_line);
        let mut spans = Vec::with_capacity(instrs.len());
        for _ in &instrs {
            line += self.signed()?;
            let end_line = line + self.signed()?;
            let col = self.small()?;
            let end_col = i64::from(col) + self.signed()?;
            spans.push(Span {
                line: line.try_into().ok()?,
                end_line: end_line.try_into().ok()?,
                col,
                end_col: end_col.try_into().ok()?,
            });
        }
        let consts = self.many(Self::constant)?;
        let names = self.many(Self::text)?;
        let varnames = self.many(Self::text)?;
        let cellvars = self.many(Self::text)?;
        let freevars = self.many(Self::text)?;
        let argcount = self.small()?;
        let posonly_argcount = self.small()?;
        let kwonly_argcount = self.small()?;
        let stack_size = self.small()?;
        let mut flag = || self.byte().map(|b| b != 0);
        let flags = CodeFlags {
            varargs: flag()?,
            varkw: flag()?,
            generator: flag()?,
            coroutine: flag()?,
            iterable_coroutine: flag()?,
            optimized: flag()?,
            module: flag()?,
            class: flag()?,
            nested: flag()?,
        };
        let exceptions = self.many(|r| {
            Some(ExceptionEntry {
                start: r.small()?,
                end: r.small()?,
                target: r.small()?,
                depth: r.small()?,
            })
        })?;
        let inlined = self.many(|r| {
            Some(Inlined {
                start: r.small()?,
                end: r.small()?,
                first_line: r.small()?,
                name: r.text()?,
                qualname: r.text()?,
            })
        })?;
        let doc = match self.byte()? {
            0 => None,
            _ => Some(self.text()?),
        };
        Some(Code {
            name,
            qualname,
            filename,
            first_line,
            instrs,
            spans,
            consts,
            names,
            varnames,
            cellvars,
            freevars,
            argcount,
            posonly_argcount,
            kwonly_argcount,
            stack_size,
            flags,
            exceptions,
            inlined,
            doc,
        })
    }
}

fn flags(flags: &CodeFlags) -> [bool; 9] {
    let CodeFlags {
        varargs,
        varkw,
        generator,
        coroutine,
        iterable_coroutine,
        optimized,
        module,
        class,
        nested,
    } = *flags;
    [
        varargs,
        varkw,
        generator,
        coroutine,
        iterable_coroutine,
        optimized,
        module,
        class,
        nested,
    ]
}
