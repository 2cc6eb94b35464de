"""lit over the dialect, its passes and `janus-jit --emit`.

The environment says where the tools are: JANUS_OPT, JANUS_JIT (in target/release by default) and
LLVM_TOOLS_DIR (FileCheck, not). Output goes to JANUS_LIT_EXEC_ROOT.
"""

import os

import lit.formats

root = os.path.dirname(os.path.abspath(__file__))
target = os.path.join(os.path.dirname(os.path.dirname(root)), "target")
prefix = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
llvm = os.environ.get("LLVM_TOOLS_DIR", os.path.join(prefix, "bin"))

config.name = "janus"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["lit.cfg.py", "Inputs"]
config.test_source_root = root
config.test_exec_root = os.environ.get("JANUS_LIT_EXEC_ROOT", os.path.join(target, "lit"))
# No test reads or leaves anything in the user's cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
config.environment["PATH"] = os.pathsep.join([llvm, os.environ["PATH"]])

# A test that needs a tool which may not be built says so: `REQUIRES: janus-jit`.
for tool in ("janus-opt", "janus-jit"):
    variable = tool.upper().replace("-", "_")
    path = os.environ.get(variable, os.path.join(target, "release", tool))
    if os.path.exists(path):
        config.available_features.add(tool)
    # Not inside another word, such as a path or a file's name.
    config.substitutions.append((r"(?<![\w/.-])" + tool + r"(?![\w/.-])", path))
