//! The instruction set and the code object.
//!
//! In: nothing. Out: [`Opcode`], [`Instr`], [`Code`], which the compiler front end produces and
//! which the interpreter, the baseline compiler and the speculator read. Always: one table
//! ([`for_each_opcode!`]) defines every instruction, its operand and its stack effect; jump
//! targets are absolute instruction indices; `spans` is as long as `instrs`.
//!
//! The machine is CPython 3.11's in spirit (a value stack, zero-cost exception tables, cells),
//! without its caches: those live in the interpreter's per-code state.

mod code;
mod opcode;
mod pack;
pub mod surrogate;
mod tree;
mod verify;

pub use code::{
    COMMAND, Code, CodeFlags, Const, ExceptionEntry, FormatConversion, Inlined, MakeFunctionFlags,
    STDIN, Span, disassemble, hidden_local, hidden_name, is_library, library_file,
};
pub use opcode::{BinaryOp, CompareOp, Consumer, Instr, Opcode, OperandKind};
pub use pack::{pack, unpack};
pub use tree::{Tree, TreeNode};
pub use verify::{StackDepths, VerifyError, VerifyErrorKind, stack_depths, verify};
