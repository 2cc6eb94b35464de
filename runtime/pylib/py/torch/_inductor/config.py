"""Settings of a compiler that is not there: kept, so that they can be read again."""

import types

coordinate_descent_tuning = False
coordinate_descent_check_all_directions = False
fx_graph_cache = True
max_autotune = False
max_autotune_gemm_backends = "ATEN,TRITON,CPP"
freezing = False
epilogue_fusion = True
cpp_wrapper = False
debug = False
shape_padding = True
force_fuse_int_mm_with_mul = False
use_mixed_mm = True
conv_1x1_as_mm = False
benchmark_kernel = False
fallback_random = False
triton = types.SimpleNamespace(cudagraphs=False, cudagraph_trees=True, unique_kernel_names=True)
