"""Writes the Unicode character database as the runtime reads it: `python3.11 tools/unicode_tables.py`.

What is read is `unicodedata` of the Python that runs it, which must be 3.11, so that versions agree.
"""

import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "runtime/stdlib/src/modules/unicode/data.txt"
CHARACTERS = ROOT / "runtime/object/src/text/characters.rs"
ALL = range(sys.maxunicode + 1)


def runs(database):
    """Code points in a row that have the same properties."""
    before = None
    for code in ALL:
        c = chr(code)
        found = (database.category(c), database.bidirectional(c) or "-", database.combining(c), database.mirrored(c),
                 database.east_asian_width(c))
        if found != before:
            yield f"{code:x} {' '.join(map(str, found))}"
            before = found


def decompositions(database):
    for code in ALL:
        found = database.decomposition(chr(code))
        if found:
            yield f"{code:x} {found}"


def numbers(database):
    """Decimal, digit and numeric value; `-` is none."""
    for code in ALL:
        c = chr(code)
        numeric = database.numeric(c, None)
        if numeric is not None:
            yield f"{code:x} {database.decimal(c, '-')} {database.digit(c, '-')} {numeric!r}"


def corrected(old, new):
    """What of the old version is not as in the new one; without a value, there is none."""
    old, new = (dict(line.split(" ", 1) for line in lines) for lines in (old, new))
    for code in sorted(old.keys() | new.keys(), key=lambda code: int(code, 16)):
        if old.get(code) != new.get(code):
            yield f"{code} {old.get(code, '')}".rstrip()


PREDICATES = {
    "ALPHABETIC": ("`str.isalpha`", str.isalpha),
    "DIGIT": ("`str.isdigit`", str.isdigit),
    "NUMERIC": ("`str.isnumeric`", str.isnumeric),
    "PRINTABLE": ("`str.isprintable`", str.isprintable),
    "UPPERCASE": ("`str.isupper`", str.isupper),
    "LOWERCASE": ("`str.islower`", str.islower),
    "SPACE": ("`str.isspace`", str.isspace),
    "STARTS_NAME": ("What an identifier begins with", str.isidentifier),
    "CONTINUES_NAME": ("What an identifier goes on with", lambda c: ("a" + c).isidentifier()),
    "ASSIGNED": ("What is a character", lambda c: unicodedata.category(c) != "Cn"),
}


def ranges(holds):
    first = None
    for code in [*ALL, None]:
        if code is not None and holds(chr(code)):
            first = code if first is None else first
            last = code
        elif first is not None:
            yield f"(0x{first:x}, 0x{last:x})"
            first = None


def in_lines(items):
    """As rustfmt sets them: as many as fit into a line."""
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > 100:
            yield line
            line = "   "
        line += f" {item},"
    yield line


def escaped(text):
    return "".join(f"\\u{{{ord(c):x}}}" for c in text)


def characters():
    """Tables of characters in Rust."""
    yield "//! What characters are, in the Unicode of Python 3.11: written by tools/unicode_tables.py."
    for name, (words, holds) in PREDICATES.items():
        yield f"\n/// {words}: first and last of those in a row.\n#[rustfmt::skip]\npub(super) const {name}: &[(u32, u32)] = &["
        yield from in_lines(ranges(holds))
        yield "];"
    zeros = [f"0x{code:x}" for code in ALL if unicodedata.decimal(chr(code), -1) == 0]
    yield "\n/// The zeros, behind each of which the nine other decimal digits come.\n#[rustfmt::skip]\npub(super) const ZEROS: &[u32] = &["
    yield from in_lines(zeros)
    yield "];"
    for name, words, of, usual in (
            ("FOLDED", "`str.casefold`, where it is not `str.lower`", str.casefold, str.lower),
            ("TITLED", "`str.title`, where it is not `str.upper`", str.title, str.upper)):
        yield f"\n/// {words}.\n#[rustfmt::skip]\npub(super) const {name}: &[(u32, &str)] = &["
        yield from in_lines(f'(0x{code:x}, "{escaped(of(chr(code)))}")' for code in ALL if of(chr(code)) != usual(chr(code)))
        yield "];"


def main():
    assert sys.version_info[:2] == (3, 11)
    with open(CHARACTERS, "w") as out:
        out.writelines(f"{line}\n" for line in characters())
    new, old = unicodedata, unicodedata.ucd_3_2_0
    sections = {
        "runs": runs(new), "decompositions": decompositions(new), "numbers": numbers(new), "old runs": runs(old),
        "old decompositions": corrected(decompositions(old), decompositions(new)),
        "old numbers": corrected(numbers(old), numbers(new)),
    }
    with open(TARGET, "w") as out:
        out.write(f"# Unicode {new.unidata_version} and {old.unidata_version}, made by tools/unicode_tables.py\n")
        for title, lines in sections.items():
            out.write(f"[{title}]\n")
            out.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
