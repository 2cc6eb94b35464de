//! Tier 1: scalar bytecode to machine code with Cranelift.
