//! The torch module: binds tensors to Python.
