"""CPython's `tokenize`, with what 3.11's has besides."""

import _pytokenize
from _pytokenize import *

globals().update((name, value) for name, value in vars(_pytokenize).items() if not name.startswith("__"))
for _value in list(globals().values()):
    if getattr(_value, "__module__", None) == "_pytokenize":
        _value.__module__ = "tokenize"
del _value


def _generate_tokens_from_c_tokenizer(source):
    """The tokens that the parser sees: without comments, and without the ends of lines that mean nothing."""
    from io import StringIO
    for token in generate_tokens(StringIO(source).readline):
        if token.type not in (COMMENT, NL):
            yield token._replace(type=token.exact_type)


if __name__ == "__main__":
    main()
