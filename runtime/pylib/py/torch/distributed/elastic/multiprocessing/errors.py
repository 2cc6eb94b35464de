"""Notes of a worker's error for its launcher."""

import functools
import json
import os
import time
import traceback


def record(fn, error_handler=None):
    """Has the exception that ends `fn` written to the file of TORCHELASTIC_ERROR_FILE, if there is one."""
    if error_handler is not None:
        raise NotImplementedError("record(error_handler=...) is not implemented in janus-jit yet")

    @functools.wraps(fn)
    def recorded(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except SystemExit:
            raise
        except Exception as error:
            path = os.environ.get("TORCHELASTIC_ERROR_FILE")
            if path:
                info = {"py_callstack": traceback.format_exc(), "timestamp": str(int(time.time()))}
                message = f"{type(error).__name__}: {error}"
                with open(path, "w") as file:
                    json.dump({"message": {"message": message, "extraInfo": info}}, file)
            raise

    return recorded
