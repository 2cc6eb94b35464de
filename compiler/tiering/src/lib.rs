//! When to promote, what was assumed, guards, code cache, background compilation.
