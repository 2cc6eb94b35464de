"""Settings of a compiler that is not there: kept, so that they can be read again."""

cache_size_limit = recompile_limit = 8
accumulated_cache_size_limit = 256
capture_scalar_outputs = False
capture_dynamic_output_shape_ops = False
suppress_errors = False
verbose = False
optimize_ddp = True
assume_static_by_default = True
automatic_dynamic_shapes = True
inline_inbuilt_nn_modules = True
skip_fwd_side_effects_in_bwd_under_checkpoint = False
allow_unspec_int_on_nn_module = False
