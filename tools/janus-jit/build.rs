//! Links the command at a fixed address: as a position-independent executable the loader would go through 170,000 pointers of LLVM's
//! and MLIR's tables before each start, which takes as long as all the rest of it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
