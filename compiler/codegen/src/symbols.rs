//! What generated code calls.
//!
//! In: nothing. Out: the names and addresses that code is linked with; it sees no other symbol
//! of the process by name.

use janus_device::emulate;
use janus_object::fields;
use janus_tensor::kernels::{conv, draws, gemm, pool, records, sort};
use janus_tensor::{alloc, concurrent, math};
use std::ffi::{CStr, c_char, c_int, c_void};

use crate::{kernels, object_tensors};

unsafe extern "C" {
    // C's own, which LLVM calls for copies, fills and floating-point remainders.
    fn memcpy(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void;
    fn memmove(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void;
    fn memset(to: *mut c_void, byte: c_int, bytes: usize) -> *mut c_void;
    fn fmodf(a: f32, b: f32) -> f32;
    fn fmod(a: f64, b: f64) -> f64;
}

/// A symbol's name and address.
pub(crate) type Symbol = (&'static CStr, usize);

macro_rules! symbols {
    ($($name:literal = $path:path as $type:ty),* $(,)?) => {
        [$(($name, { let function: $type = $path; function as usize })),*]
    };
}

type Routine = unsafe extern "C" fn(*const i64);
type Unary = extern "C" fn(f64) -> f64;
type Concurrent = unsafe extern "C" fn(i64, *const concurrent::Part, *mut c_void, bool);
type Split = unsafe extern "C" fn(i64, i64, concurrent::Piece, *mut c_void);
type Move = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;
type Launch = unsafe extern "C" fn(emulate::Kernel, i64, i64, i64, i64, *const *const u64);
type Gemm<T> = unsafe extern "C" fn(
    i64,
    i64,
    i64,
    *const T,
    i64,
    i64,
    *const T,
    i64,
    i64,
    *mut T,
    i64,
    i64,
    bool,
);

/// All of them.
pub(crate) fn symbols() -> [Symbol; 37] {
    symbols! {
        c"janus_rt_alloc" = alloc::janus_rt_alloc as extern "C" fn(i64) -> *mut u8,
        c"janus_rt_free" = alloc::janus_rt_free as unsafe extern "C" fn(*mut u8, i64),
        c"janus_rt_free_whole" = alloc::janus_rt_free_whole as unsafe extern "C" fn(*mut u8),
        c"janus_rt_gemm_f32" = gemm::janus_rt_gemm_f32 as Gemm<f32>,
        c"janus_rt_gemm_f64" = gemm::janus_rt_gemm_f64 as Gemm<f64>,
        c"janus_rt_concurrent" = concurrent::janus_rt_concurrent as Concurrent,
        c"janus_rt_split" = concurrent::janus_rt_split as Split,
        c"janus_rt_kernel_begin" = kernels::janus_rt_kernel_begin as extern "C" fn(),
        c"janus_rt_kernel_end" = kernels::janus_rt_kernel_end as unsafe extern "C" fn(*const c_char),
        c"janus_rt_conv" = conv::janus_rt_conv as Routine,
        c"janus_rt_pool_argmax" = pool::janus_rt_pool_argmax as Routine,
        c"janus_rt_argsort" = sort::janus_rt_argsort as Routine,
        c"janus_rt_field" = fields::janus_rt_field as Routine,
        c"janus_rt_is_tensor" = object_tensors::janus_rt_is_tensor as Routine,
        c"janus_rt_tensor_at" = object_tensors::janus_rt_tensor_at as Routine,
        c"janus_rt_keep" = records::janus_rt_keep as Routine,
        c"janus_rt_recall" = records::janus_rt_recall as Routine,
        c"janus_rt_advance" = draws::janus_rt_advance as Routine,
        c"janus_rt_draw" = draws::janus_rt_draw as Routine,
        c"janus_rt_draw_from" = draws::janus_rt_draw_from as Routine,
        c"janus_rt_launch" = emulate::janus_rt_launch as Launch,
        c"janus_rt_device_alloc" = crate::emulate::janus_rt_device_alloc as extern "C" fn(i64) -> *mut u8,
        c"janus_rt_barrier" = emulate::janus_rt_barrier as extern "C" fn(i64),
        c"janus_exp_f64" = math::janus_exp_f64 as Unary,
        c"janus_expm1_f64" = math::janus_expm1_f64 as Unary,
        c"janus_log_f64" = math::janus_log_f64 as Unary,
        c"janus_log1p_f64" = math::janus_log1p_f64 as Unary,
        c"janus_tanh_f64" = math::janus_tanh_f64 as Unary,
        c"janus_sin_f64" = math::janus_sin_f64 as Unary,
        c"janus_cos_f64" = math::janus_cos_f64 as Unary,
        c"janus_erf_f64" = math::janus_erf_f64 as Unary,
        c"janus_pow_f64" = math::janus_pow_f64 as extern "C" fn(f64, f64) -> f64,
        c"memcpy" = memcpy as Move,
        c"memmove" = memmove as Move,
        c"memset" = memset as unsafe extern "C" fn(*mut c_void, c_int, usize) -> *mut c_void,
        c"fmodf" = fmodf as unsafe extern "C" fn(f32, f32) -> f32,
        c"fmod" = fmod as unsafe extern "C" fn(f64, f64) -> f64,
    }
}
