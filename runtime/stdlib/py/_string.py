"""Format strings taken apart, for `string.Formatter`."""


def formatter_parser(format_string):
    """Yields (literal text, field name, format spec, conversion); the last three are None at the end."""
    text, at, end = format_string, 0, len(format_string)
    literal = ""
    while at < end:
        char = text[at]
        at += 1
        if char not in "{}":
            literal += char
            continue
        if at < end and text[at] == char:
            yield literal + char, None, None, None
            literal = ""
            at += 1
            continue
        if char == "}":
            raise ValueError("Single '}' encountered in format string")
        if at == end:
            raise ValueError("Single '{' encountered in format string")
        start, depth, bracket, split = at, 1, False, None
        while at < end:
            char = text[at]
            if bracket:
                bracket = char != "]"
            elif char == "[" and split is None:
                bracket = True
            elif char == "{":
                if split is None:
                    raise ValueError("unexpected '{' in field name")
                depth += 1
            elif char == "}":
                depth -= 1
                if not depth:
                    break
            elif char in ":!" and split is None:
                split = at
            at += 1
        else:
            raise ValueError("expected '}' before end of string")
        name, spec, conversion = text[start:at if split is None else split], "", None
        if split is not None and text[split] == "!":
            after = text[split + 1:at]
            if not after:
                raise ValueError("end of string while looking for conversion specifier"
                                 if at + 1 >= end else "unmatched '{' in format spec")
            conversion, after = after[0], after[1:]
            if after and after[0] != ":":
                raise ValueError("expected ':' after conversion specifier")
            spec = after[1:]
        elif split is not None:
            spec = text[split + 1:at]
        at += 1
        yield literal, name, spec, conversion
        literal = ""
    if literal:
        yield literal, None, None, None


def formatter_field_name_split(field_name):
    """The first part of a field name, an int where it is one, and an iterator over (is attribute, name)."""
    end = next((at for at, char in enumerate(field_name) if char in ".["), len(field_name))
    first = field_name[:end]
    return _number(first), _rest(field_name, end)


def _number(text):
    return int(text) if text.isascii() and text.isdigit() else text


def _rest(name, at):
    while at < len(name):
        if name[at] == "[":
            close = name.find("]", at)
            if close < 0:
                raise ValueError("Missing ']' in format string")
            if close == at + 1:
                raise ValueError("Empty attribute in format string")
            yield False, _number(name[at + 1:close])
            at = close + 1
        elif name[at] == ".":
            end = next((i for i in range(at + 1, len(name)) if name[i] in ".["), len(name))
            if end == at + 1:
                raise ValueError("Empty attribute in format string")
            yield True, name[at + 1:end]
            at = end
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
