"""What `sysconfig` tells of a build: nothing was built with a C compiler."""

build_time_vars = {"Py_DEBUG": 0, "Py_ENABLE_SHARED": 0, "WITH_DOC_STRINGS": 1, "SIZEOF_VOID_P": 8, "HAVE_FORK": 0,
                   "EXT_SUFFIX": ".so", "SHLIB_SUFFIX": ".so", "VERSION": "3.11", "MULTIARCH": ""}
