//! The instruction table.

#![allow(rustdoc::broken_intra_doc_links, reason = "brackets show the stack")]

/// What the operand of an instruction means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// The operand is not used.
    None,
    /// A plain count or depth.
    Count,
    /// Index into [`crate::Code::consts`].
    Const,
    /// Index into [`crate::Code::names`].
    Name,
    /// Index into [`crate::Code::varnames`].
    Local,
    /// Index into cell variables followed by free variables.
    Deref,
    /// An absolute instruction index.
    Target,
    /// A [`BinaryOp`].
    Binary,
    /// A [`CompareOp`].
    Compare,
    /// A [`Consumer`].
    Consumer,
    /// Bits, explained at the instruction.
    Flags,
}

/// Calls `$m! { n; (NAME, operand kind, pops, pushes, "doc"), ... }` with every instruction.
///
/// `pops` and `pushes` are expressions over the operand `n`. For a jump they describe the
/// fall-through path; [`Opcode::jump_effect`] gives the taken one.
#[macro_export]
macro_rules! for_each_opcode {
    ($m:ident) => {
        $m! {
            n;
            (Nop, None, 0, 0, "Does nothing."),
            (PopTop, None, 1, 0, "Drops the top."),
            (Copy, Count, 0, 1, "Pushes a copy of the n-th value from the top (1 is the top)."),
            (Swap, Count, 0, 0, "Swaps the top with the n-th value from the top."),
            (PushNull, None, 0, 1, "Pushes the empty self slot that CALL expects after a plain callable."),
            (LoadConst, Const, 0, 1, "Pushes a constant."),
            (LoadFast, Local, 0, 1, "Pushes a local; UnboundLocalError when unset."),
            (StoreFast, Local, 1, 0, "Pops into a local."),
            (DeleteFast, Local, 0, 0, "Unsets a local."),
            (LoadGlobal, Name, 0, 1, "Pushes a global, else a builtin, else NameError."),
            (StoreGlobal, Name, 1, 0, "Pops into a global."),
            (DeleteGlobal, Name, 0, 0, "Deletes a global."),
            (LoadName, Name, 0, 1, "Class and module bodies: local namespace, then global, then builtin."),
            (StoreName, Name, 1, 0, "Class and module bodies: pops into the local namespace."),
            (DeleteName, Name, 0, 0, "Class and module bodies: deletes from the local namespace."),
            (LoadDeref, Deref, 0, 1, "Pushes the content of a cell."),
            (StoreDeref, Deref, 1, 0, "Pops into a cell."),
            (DeleteDeref, Deref, 0, 0, "Empties a cell."),
            (LoadClassDeref, Deref, 0, 1, "Class body: local namespace first, then the cell."),
            (LoadClosure, Deref, 0, 1, "Pushes the cell itself, for MAKE_FUNCTION."),
            (LoadAttr, Name, 1, 1, "Replaces the top with its attribute."),
            (StoreAttr, Name, 2, 0, "[value, object] -> []; sets an attribute."),
            (DeleteAttr, Name, 1, 0, "Deletes an attribute of the top."),
            (LoadMethod, Name, 1, 2, "[object] -> [function, object] for a method, else [attribute, NULL]."),
            (Call, Count, n + 2, 1, "[callable, self or NULL, arg * n] -> [result]."),
            (CallKw, Count, n + 3, 1, "As CALL; the top is the tuple of the last arguments' names, n counts all arguments."),
            (CallEx, Flags, 3 + (n & 1), 1, "[callable, NULL, positional iterable (, mapping if n & 1)] -> [result]."),
            (BinaryOp, Binary, 2, 1, "Binary arithmetic, in place or not."),
            (CompareOp, Compare, 2, 1, "Rich comparison."),
            (IsOp, Count, 2, 1, "`is` (0) or `is not` (1)."),
            (IsBuiltin, Consumer, 0, 1, "[x] -> [x, whether it is the built-in of this name]."),
            (ContainsOp, Count, 2, 1, "[item, container]: `in` (0) or `not in` (1)."),
            (UnaryNegative, None, 1, 1, "-x"),
            (UnaryPositive, None, 1, 1, "+x"),
            (UnaryNot, None, 1, 1, "not x"),
            (UnaryInvert, None, 1, 1, "~x"),
            (BinarySubscr, None, 2, 1, "[container, key] -> [container[key]]."),
            (StoreSubscr, None, 3, 0, "[value, container, key] -> []."),
            (DeleteSubscr, None, 2, 0, "[container, key] -> []."),
            (BuildSlice, Count, n, 1, "Builds a slice of 2 or 3 values."),
            (BuildTuple, Count, n, 1, "Builds a tuple."),
            (BuildList, Count, n, 1, "Builds a list."),
            (BuildSet, Count, n, 1, "Builds a set."),
            (BuildMap, Count, 2 * n, 1, "Builds a dict of n key, value pairs."),
            (BuildString, Count, n, 1, "Joins n strings."),
            (FormatValue, Flags, 1 + ((n >> 2) & 1), 1, "f-string field: low two bits are a FormatConversion, bit 2: a format spec is on top."),
            (ListAppend, Count, 1, 0, "Pops a value and appends it to the list n below the new top (1 is the top)."),
            (SetAdd, Count, 1, 0, "As LIST_APPEND, for a set."),
            (MapAdd, Count, 2, 0, "Pops [key, value] and puts them into the dict n below the new top."),
            (ListExtend, Count, 1, 0, "Pops an iterable and extends the list n below the new top."),
            (SetUpdate, Count, 1, 0, "Pops an iterable and updates the set n below the new top."),
            (DictUpdate, Count, 1, 0, "Pops a mapping and updates the dict n below the new top."),
            (DictMerge, Count, 1, 0, "As DICT_UPDATE for `**kwargs`: a duplicate key is a TypeError."),
            (ListToTuple, None, 1, 1, "Turns the list on top into a tuple."),
            (UnpackSequence, Count, 1, n, "Unpacks an iterable of exactly n values; the first ends on top."),
            (UnpackEx, Flags, 1, (n & 0xff) + (n >> 8) + 1, "Unpacks with a star: n & 0xff before it, n >> 8 after it; the first ends on top."),
            (Jump, Target, 0, 0, "Jumps forward; only a `yield from` loop uses it to go back to its SEND."),
            (JumpBackward, Target, 0, 0, "Jumps to a loop head; only loops use it."),
            (PopJumpIfFalse, Target, 1, 0, "Pops; jumps when false."),
            (PopJumpIfTrue, Target, 1, 0, "Pops; jumps when true."),
            (PopJumpIfNone, Target, 1, 0, "Pops; jumps when None."),
            (PopJumpIfNotNone, Target, 1, 0, "Pops; jumps when not None."),
            (JumpIfFalseOrPop, Target, 1, 0, "Jumps and keeps the top when it is false, else pops it."),
            (JumpIfTrueOrPop, Target, 1, 0, "Jumps and keeps the top when it is true, else pops it."),
            (GetIter, None, 1, 1, "Replaces the top with its iterator."),
            (ForIter, Target, 0, 1, "Pushes the next value; at the end pops the iterator and jumps. Always a loop head."),
            (LoopHead, None, 0, 0, "First instruction of a `while` loop: the target of its backward jumps."),
            (ReturnValue, None, 1, 0, "Returns the top."),
            (YieldValue, None, 1, 1, "Yields the top; the sent value is pushed on resumption."),
            (GetYieldFromIter, None, 1, 1, "As GET_ITER, but leaves generators alone."),
            (Send, Target, 1, 1, "[iterator, value]: sends value; on StopIteration replaces both by the result and jumps, else pushes what it yielded in the value's place."),
            (GetAwaitable, None, 1, 1, "Replaces the top with its awaitable iterator."),
            (MakeFunction, Flags, 1 + (n & 1) + ((n >> 1) & 1) + ((n >> 2) & 1) + ((n >> 3) & 1), 1, "[defaults][kw defaults][annotations][closure] code -> function; MakeFunctionFlags say which are there."),
            (LoadBuildClass, None, 0, 1, "Pushes `__build_class__`."),
            (RaiseVarargs, Count, n, 0, "raise (0: again, 1: exception, 2: exception and cause)."),
            (Reraise, None, 1, 0, "Raises the exception on top again, keeping its traceback."),
            (ReraiseStopIteration, None, 1, 0, "As RERAISE, but what was a StopIteration in a generator is the RuntimeError that its caller sees."),
            (PushExcInfo, None, 1, 2, "[exception] -> [previous, exception]; makes it the handled one."),
            (PopExcept, None, 1, 0, "Pops the previous exception and makes it the handled one again."),
            (CheckExcMatch, None, 1, 1, "[exception, type] -> [exception, bool]."),
            (BeforeWith, None, 1, 2, "[manager] -> [bound __exit__, result of __enter__]."),
            (WithExceptStart, None, 0, 1, "[exit, previous, exception] -> pushes exit(type, value, traceback)."),
            (LoadAssertionError, None, 0, 1, "Pushes AssertionError."),
            (ImportName, Name, 2, 1, "[level, from list] -> [module]."),
            (ImportFrom, Name, 0, 1, "[module] -> [module, attribute]."),
            (ImportStar, None, 1, 0, "Imports all public names of the module on top into the local namespace."),
            (SetupAnnotations, None, 0, 0, "Makes `__annotations__` in the local namespace."),
            (MatchSequence, None, 0, 1, "[subject] -> [subject, is a sequence]."),
            (MatchMapping, None, 0, 1, "[subject] -> [subject, is a mapping]."),
            (MatchKeys, None, 0, 1, "[subject, keys] -> [subject, keys, values tuple or None]."),
            (MatchClass, Count, 3, 1, "[subject, class, keyword names] -> [attributes tuple or None]; n positional patterns."),
            (GetLen, None, 0, 1, "[x] -> [x, len(x)]."),
        }
    };
}

macro_rules! define_opcodes {
    ($n:ident; $(($name:ident, $kind:ident, $pops:expr, $pushes:expr, $doc:literal),)*) => {
        /// One instruction of the machine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode { $(#[doc = $doc] $name,)* }

        impl Opcode {
            /// Every instruction, in table order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name,)*];

            /// The name as it stands in the table, e.g. `LoadFast`.
            pub fn name(self) -> &'static str {
                match self { $(Opcode::$name => stringify!($name),)* }
            }

            /// What the operand means.
            pub fn operand_kind(self) -> OperandKind {
                match self { $(Opcode::$name => OperandKind::$kind,)* }
            }
        }

        impl Instr {
            /// Values popped and pushed on the fall-through path.
            #[allow(unused_variables, reason = "most effects do not depend on the operand")]
            pub fn effect(self) -> (u32, u32) {
                let $n = self.arg;
                match self.op { $(Opcode::$name => ($pops, $pushes),)* }
            }
        }
    };
}

/// An instruction and its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What to do.
    pub op: Opcode,
    /// The operand; see [`Opcode::operand_kind`].
    pub arg: u32,
}

for_each_opcode!(define_opcodes);

impl Instr {
    /// Makes an instruction.
    pub const fn new(op: Opcode, arg: u32) -> Self {
        Instr { op, arg }
    }

    /// Values popped and pushed when the jump is taken; `None` for instructions that do not jump.
    pub fn jump_effect(self) -> Option<(u32, u32)> {
        use Opcode::*;
        match self.op {
            Jump | JumpBackward => Some((0, 0)),
            PopJumpIfFalse | PopJumpIfTrue | PopJumpIfNone | PopJumpIfNotNone => Some((1, 0)),
            JumpIfFalseOrPop | JumpIfTrueOrPop => Some((0, 0)),
            ForIter => Some((1, 0)),
            Send => Some((2, 1)),
            _ => None,
        }
    }

    /// Whether control can reach the next instruction.
    pub fn falls_through(self) -> bool {
        use Opcode::*;
        !matches!(
            self.op,
            Jump | JumpBackward | ReturnValue | RaiseVarargs | Reraise | ReraiseStopIteration
        )
    }
}

macro_rules! operand_enum {
    ($(#[$meta:meta])* $enum:ident { $($name:ident $text:literal $doc:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $enum { $(#[doc = $doc] $name,)* }
        impl $enum {
            /// Every member, in order.
            pub const ALL: &'static [$enum] = &[$($enum::$name,)*];
            /// The member with this operand value.
            #[inline]
            pub fn from_arg(arg: u32) -> Option<Self> { Self::ALL.get(arg as usize).copied() }
            /// Python's spelling.
            pub fn symbol(self) -> &'static str { match self { $($enum::$name => $text,)* } }
        }
    };
}

operand_enum! {
    /// Operand of [`Opcode::BinaryOp`].
    BinaryOp {
        Add "+" "`__add__`",
        Sub "-" "`__sub__`",
        Mul "*" "`__mul__`",
        TrueDiv "/" "`__truediv__`",
        FloorDiv "//" "`__floordiv__`",
        Mod "%" "`__mod__`",
        Pow "**" "`__pow__`",
        MatMul "@" "`__matmul__`",
        LShift "<<" "`__lshift__`",
        RShift ">>" "`__rshift__`",
        And "&" "`__and__`",
        Or "|" "`__or__`",
        Xor "^" "`__xor__`",
        InplaceAdd "+=" "`__iadd__`",
        InplaceSub "-=" "`__isub__`",
        InplaceMul "*=" "`__imul__`",
        InplaceTrueDiv "/=" "`__itruediv__`",
        InplaceFloorDiv "//=" "`__ifloordiv__`",
        InplaceMod "%=" "`__imod__`",
        InplacePow "**=" "`__ipow__`",
        InplaceMatMul "@=" "`__imatmul__`",
        InplaceLShift "<<=" "`__ilshift__`",
        InplaceRShift ">>=" "`__irshift__`",
        InplaceAnd "&=" "`__iand__`",
        InplaceOr "|=" "`__ior__`",
        InplaceXor "^=" "`__ixor__`",
    }
}

operand_enum! {
    /// Operand of [`Opcode::CompareOp`].
    CompareOp {
        Lt "<" "`__lt__`",
        Le "<=" "`__le__`",
        Eq "==" "`__eq__`",
        Ne "!=" "`__ne__`",
        Gt ">" "`__gt__`",
        Ge ">=" "`__ge__`",
    }
}

operand_enum! {
    /// Operand of [`Opcode::IsBuiltin`]: built-ins that are through with a generator when they return.
    Consumer {
        Sum "sum" "the function",
        Any "any" "the function",
        All "all" "the function",
        Min "min" "the function",
        Max "max" "the function",
        Sorted "sorted" "the function",
        List "list" "the class",
        Tuple "tuple" "the class",
        Set "set" "the class",
        FrozenSet "frozenset" "the class",
    }
}

impl BinaryOp {
    /// Whether this is an augmented assignment.
    #[inline]
    pub fn is_inplace(self) -> bool {
        self as u8 >= BinaryOp::InplaceAdd as u8
    }

    /// The plain operation behind an augmented assignment; itself otherwise.
    #[inline]
    pub fn plain(self) -> BinaryOp {
        if self.is_inplace() {
            Self::ALL[self as usize - BinaryOp::InplaceAdd as usize]
        } else {
            self
        }
    }
}
