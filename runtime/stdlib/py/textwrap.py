"""Wrapping and indenting of text."""

import re

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_WHITESPACE = "\t\n\x0b\x0c\r "


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _chunks(self, text):
        """Words, their hyphenated parts, dashes and stretches of white space."""
        pieces = []
        for piece in re.findall(r"[\t\n\x0b\x0c\r ]+|[^\t\n\x0b\x0c\r ]+", text):
            if not self.break_on_hyphens or piece[0] in _WHITESPACE:
                pieces.append(piece)
                continue
            pieces.extend(self._hyphenated(piece))
        return pieces

    def _hyphenated(self, word):
        parts = []
        start = i = 0
        while i < len(word):
            if word[i] == "-":
                end = i
                while end < len(word) and word[end] == "-":
                    end += 1
                if end - i >= 2 and end < len(word) and i > start and (word[end].isalnum() or word[end] == "_"):
                    parts.append(word[start:i])
                    parts.append(word[i:end])
                    start = end
                elif end - i == 1 and i - start >= 2 and word[i - 1].isalpha() and word[i - 2].isalpha() \
                        and end + 1 < len(word) and word[end].isalpha() \
                        and (word[end + 1].isalpha() or word[end + 1] == "-"):
                    parts.append(word[start:end])
                    start = end
                i = end
            else:
                i += 1
        if start < len(word):
            parts.append(word[start:])
        return parts

    def _split(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = "".join(" " if c in _WHITESPACE else c for c in text)
        chunks = self._chunks(text)
        if self.fix_sentence_endings:
            for i in range(len(chunks) - 1):
                if chunks[i + 1] == " " and re.search(r"[a-z][.!?][\"']?\Z", chunks[i]):
                    chunks[i + 1] = "  "
        return chunks

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        chunks = self._split(text)
        chunks.reverse()
        lines = []
        while chunks:
            line = []
            length = 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and not chunks[-1].strip() and lines:
                del chunks[-1]
            while chunks and length + len(chunks[-1]) <= width:
                length += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > width:
                self._break_long(chunks, line, length, width)
                length = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line[-1])
                del line[-1]
            if not line:
                continue
            last = not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()
            if self.max_lines is None or len(lines) + 1 < self.max_lines or last and length <= width:
                lines.append(indent + "".join(line))
                continue
            while line:
                if line[-1].strip() and length + len(self.placeholder) <= width:
                    line.append(self.placeholder)
                    lines.append(indent + "".join(line))
                    break
                length -= len(line[-1])
                del line[-1]
            else:
                if lines:
                    previous = lines[-1].rstrip()
                    if len(previous) + len(self.placeholder) <= self.width:
                        lines[-1] = previous + self.placeholder
                        break
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def _break_long(self, chunks, line, length, width):
        space = 1 if width < 1 else width - length
        if self.break_long_words:
            chunk = chunks[-1]
            end = space
            if self.break_on_hyphens and len(chunk) > space:
                hyphen = chunk.rfind("-", 0, space)
                if hyphen > 0 and any(c != "-" for c in chunk[:hyphen]):
                    end = hyphen + 1
            line.append(chunk[:end])
            chunks[-1] = chunk[end:]
        elif not line:
            line.append(chunks.pop())

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    lines = ["" if not line.strip(" \t") else line for line in text.split("\n")]
    margin = None
    for line in lines:
        if not line:
            continue
        indent = line[:len(line) - len(line.lstrip(" \t"))]
        if margin is None:
            margin = indent
            continue
        shared = 0
        while shared < min(len(margin), len(indent)) and margin[shared] == indent[shared]:
            shared += 1
        margin = margin[:shared]
    cut = len(margin or "")
    return "\n".join(line[cut:] if line else line for line in lines)


def indent(text, prefix, predicate=None):
    if predicate is None:
        predicate = str.strip
    return "".join(prefix + line if predicate(line) else line for line in text.splitlines(True))
