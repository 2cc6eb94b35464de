"""`ast.literal_eval`; there are no syntax tree objects."""


def literal_eval(node_or_string):
    if not isinstance(node_or_string, str):
        raise ValueError(f"malformed node or string: {node_or_string!r}")
    # Compiled first, so that text that is not Python raises SyntaxError.
    compile(node_or_string.lstrip(" \t"), "<unknown>", "eval")
    reader = _Reader(node_or_string)
    value = reader.expression()
    if reader.take(","):
        items = [value]
        while reader.peek():
            items.append(reader.expression())
            if not reader.take(","):
                break
        value = tuple(items)
    reader.space()
    if reader.at != len(reader.text):
        reader.fail()
    return value


class _Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def fail(self):
        line = self.text.count("\n", 0, self.at) + 1
        raise ValueError(f"malformed node or string on line {line}: {self.text!r}")

    def space(self):
        while self.at < len(self.text):
            c = self.text[self.at]
            if c == "#":
                while self.at < len(self.text) and self.text[self.at] != "\n":
                    self.at += 1
            elif c in " \t\r\n\f\\":
                self.at += 1
            else:
                break

    def peek(self):
        self.space()
        return self.text[self.at:self.at + 1]

    def take(self, token):
        self.space()
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def expression(self):
        value = self.unary()
        while self.peek() in ("+", "-") and isinstance(value, (int, float)) and not isinstance(value, bool):
            sign = self.text[self.at]
            self.at += 1
            right = self.unary()
            if not isinstance(right, complex):
                self.fail()
            value = value + right if sign == "+" else value - right
        return value

    def unary(self):
        for sign in ("-", "+"):
            if self.take(sign):
                value = self.unary()
                if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
                    self.fail()
                return -value if sign == "-" else +value
        return self.atom()

    def items(self, close):
        values = []
        comma = False
        while not self.take(close):
            values.append(self.expression())
            comma = self.take(",")
            if not comma and self.peek() != close:
                self.fail()
        return values, comma

    def atom(self):
        c = self.peek()
        if c == "[":
            self.at += 1
            return self.items("]")[0]
        if c == "(":
            self.at += 1
            values, comma = self.items(")")
            return values[0] if len(values) == 1 and not comma else tuple(values)
        if c == "{":
            return self.braces()
        if c.isdigit() or c == ".":
            if self.text.startswith("...", self.at):
                self.at += 3
                return ...
            return self.number()
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] == "_"):
            self.at += 1
        word = self.text[start:self.at]
        if self.text[self.at:self.at + 1] in ("'", '"') and set(word.lower()) <= set("rbu"):
            self.at = start
            return self.strings()
        if word in ("True", "False", "None"):
            return {"True": True, "False": False, "None": None}[word]
        if word == "set" and self.take("(") and self.take(")"):
            return set()
        self.fail()

    def braces(self):
        self.at += 1
        if self.take("}"):
            return {}
        first = self.expression()
        if not self.take(":"):
            values = {first}
            while self.take(","):
                if self.peek() == "}":
                    break
                values.add(self.expression())
            if not self.take("}"):
                self.fail()
            return values
        result = {first: self.expression()}
        while self.take(","):
            if self.peek() == "}":
                break
            key = self.expression()
            if not self.take(":"):
                self.fail()
            result[key] = self.expression()
        if not self.take("}"):
            self.fail()
        return result

    def number(self):
        start = self.at
        text = self.text
        while self.at < len(text):
            c = text[self.at]
            if c.isalnum() or c in "._":
                self.at += 1
            elif c in "+-" and text[self.at - 1] in "eE" and not text[start:start + 2].lower() == "0x":
                self.at += 1
            else:
                break
        word = text[start:self.at].replace("_", "")
        if word[-1] in "jJ":
            return complex(word)
        if word[:2].lower() in ("0x", "0o", "0b"):
            return int(word, 0)
        return float(word) if any(c in word for c in ".eE") else int(word)

    def prefix(self):
        """How long the prefix of a string is that begins here; None where none does. No f-string: it is code."""
        end = self.at
        while end < len(self.text) and self.text[end] in "rbuRBU":
            end += 1
        return end - self.at if self.text[end:end + 1] in ("'", '"') else None

    def strings(self):
        """One string literal or several beside each other; the compiler reads their escapes."""
        start = end = self.at
        text = self.text
        while (prefix := self.prefix()) is not None:
            self.at += prefix
            quote = text[self.at]
            if text.startswith(quote * 3, self.at):
                quote *= 3
            self.at += len(quote)
            while not text.startswith(quote, self.at):
                if self.at >= len(text):
                    raise SyntaxError("unterminated string literal")
                self.at += 2 if text[self.at] == "\\" else 1
            self.at += len(quote)
            end = self.at
            self.space()
        self.at = end
        return eval("(" + text[start:end] + ")", {})


def parse(source, filename="<unknown>", mode="exec", **kwargs):
    raise NotImplementedError("ast.parse is not supported: there are no syntax tree objects")
