//! Thread pool, buffers, CUDA driver.
