"""What is raised for an argument that is known and does nothing here yet."""


def refused(function, argument):
    return NotImplementedError(f"{function}(): argument '{argument}' is not implemented in janus-jit yet")
