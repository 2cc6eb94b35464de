"""string, textwrap, shlex, fnmatch, difflib, pprint, reprlib, html, gettext, locale, csv, configparser, tomllib, plistlib."""

import configparser
import csv
import difflib
import fnmatch
import gettext
import html
import html.entities
import html.parser
import io
import locale
import plistlib
import pprint
import quopri
import reprlib
import shlex
import string
import textwrap
import tomllib

# string
print(string.Template("$who likes ${what}s, $$5").substitute(who="tim", what="kite"))
print(string.Template("$a $b").safe_substitute(a=1), string.Template("$x-$y").get_identifiers(), string.Template("$").is_valid())


class Percent(string.Template):
    delimiter = "%"
    idpattern = "[a-z]+_[a-z]+"


print(Percent("%% %with_score").substitute(with_score="x"))


class Upper(string.Formatter):
    def get_value(self, key, args, kwargs):
        return super().get_value(key, args, kwargs) if isinstance(key, int) else kwargs.get(key, f"<{key}>")

    def convert_field(self, value, conversion):
        return value.upper() if conversion == "u" else super().convert_field(value, conversion)


print(Upper().format("{0!u} {missing} {0[1]} {1.real:>{2}} {{}} {1!r:^5}", "abc", 7, 4), string.capwords("the  quick fox"))
print(list(string.Formatter().parse("a{b!r:c{d}}e{{f}}g{0.x[1]}")))
for bad in ("{", "}", "{0", "{0!x}"):
    try:
        print(string.Formatter().format(bad, 1))
    except ValueError as e:
        print(e)

# textwrap, shlex, fnmatch
text = "The quick brown fox jumped over the lazy-dog's   back; an extraordinarilylongword came after.\tEnd."
print(textwrap.fill(text, 20, initial_indent="* ", subsequent_indent="  ", max_lines=4))
print(textwrap.shorten(text, 30), repr(textwrap.dedent("  a\n    b\n  c\n")), textwrap.indent("x\n\ny\n", "> "))
print(textwrap.wrap(text, 15, break_long_words=False, break_on_hyphens=False))
print(shlex.split("a 'b c' \"d\\\"e\" f\\ g # no", comments=True), shlex.quote("it's"), shlex.join(["a b", "c"]))
lexer = shlex.shlex("a && b || c; d >out", punctuation_chars=True)
print(list(lexer))
try:
    shlex.split("'open")
except ValueError as e:
    print(e)
print(fnmatch.filter(["a.py", "b.txt", "c.PY", ".py"], "*.py"), fnmatch.fnmatch("x[1]", "x[[]1]"), fnmatch.fnmatchcase("ab", "[!b-z]?"))

# difflib
one, two = "one\ntwo\nthree\nfour\n".splitlines(True), "ore\ntree\ntwo\nfour\nfive\n".splitlines(True)
print("".join(difflib.ndiff(one, two)), "".join(difflib.unified_diff(one, two, "a", "b", n=1)), sep="")
print("".join(difflib.context_diff(one, two, "a", "b")), "".join(difflib.restore(difflib.ndiff(one, two), 2)) == "".join(two))
matcher = difflib.SequenceMatcher(None, "abxcd", "abcd")
print(matcher.ratio(), matcher.get_opcodes(), matcher.find_longest_match(), difflib.get_close_matches("appel", ["ape", "apple", "peach"]))
print(len(difflib.HtmlDiff().make_table(one, two)))

# pprint, reprlib
nested = {"name": ["x" * 20, list(range(25))], "b": {"c": {"d": ({1, 2}, frozenset([3])), "e": "word " * 20}}, "a": b"y" * 90}
pprint.pprint(nested, width=60)
pprint.pprint(nested, depth=2, compact=True, sort_dicts=False)
print(pprint.pformat([1, [2, [3, [4]]]], depth=2), pprint.isreadable({1: print}), reprlib.repr(list(range(100))), reprlib.repr("z" * 100))


class Loop(list):
    @reprlib.recursive_repr(fillvalue="<...>")
    def __repr__(self):
        return f"Loop{list.__repr__(self)}"


loop = Loop([1])
loop.append(loop)
print(loop)

# html
print(html.escape("<a href='x'>&</a>"), html.unescape("&lt;&eacute;&#8364;&#x41;&notit;&amp;amp;&bogus;"), html.entities.name2codepoint["hearts"])


class Links(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        print("start", tag, attrs)

    def handle_endtag(self, tag):
        print("end", tag)

    def handle_data(self, data):
        if data.strip():
            print("data", repr(data), self.getpos())

    def handle_comment(self, data):
        print("comment", data)

    def handle_decl(self, decl):
        print("decl", decl)


parser = Links()
parser.feed("<!DOCTYPE html><p class=a id='b' hidden>x &amp; y<br/><!-- c --><script>if (a<b) {}</script></p")
parser.feed(">tail &lt;")
parser.close()

# csv
rows = list(csv.reader(io.StringIO('a,"b ""q""",c\r\n1,"x\ny",\n'), strict=True))
print(rows, [dict(r) for r in csv.DictReader(io.StringIO("n,m\n1,2\n3,4,5\n6"), restkey="more", restval="none")])
out = io.StringIO()
writer = csv.DictWriter(out, ["a", "b"], quoting=csv.QUOTE_NONNUMERIC, delimiter=";", lineterminator="\n")
writer.writeheader()
writer.writerows([{"a": 1, "b": 'q"'}, {"a": 2.5, "b": None}])
print(out.getvalue(), csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter, csv.Sniffer().has_header("n,m\na,1\nb,2\n"), csv.list_dialects())
csv.register_dialect("pipes", delimiter="|", escapechar="\\", quoting=csv.QUOTE_NONE)
print(list(csv.reader(["x\\|y|z"], "pipes")), csv.get_dialect("pipes").quotechar, csv.field_size_limit())
for what in (lambda: csv.reader([], delimiter="ab"), lambda: csv.writer(io.StringIO(), bogus=1), lambda: csv.get_dialect("nope"),
             lambda: list(csv.reader(['"a'], strict=True)), lambda: writer.writerow({"z": 1})):
    try:
        what()
    except (TypeError, ValueError, csv.Error) as e:
        print(type(e).__name__, e)

# configparser
config = configparser.ConfigParser(allow_no_value=True, interpolation=configparser.ExtendedInterpolation())
config.read_string("""[DEFAULT]
root = /srv
[paths]
data = ${root}/data
list: a
  b
flag
on = yes
[other]
n = 3 ; no comment
x = ${paths:data}/x
""")
print(config.sections(), config["paths"]["data"], config["paths"]["list"].splitlines(), config["paths"]["flag"], config.getboolean("paths", "on"))
print(config["other"]["x"], config.get("other", "missing", fallback="none"), dict(config["other"]), "root" in config["paths"])
config["new"] = {"k": "v"}
out = io.StringIO()
config.write(out)
print(out.getvalue())
for text in ("x = 1", "[a]\n[a]", "[a]\nnovalue"):
    try:
        configparser.ConfigParser().read_string(text)
    except configparser.Error as e:
        print(type(e).__name__, str(e).splitlines()[0])

# tomllib, plistlib, quopri
print(tomllib.loads('a = 1\n[t]\nb = [1.5, "x", true]\n[[t.c]]\nd = {e = 0x1F}\nf = 1979-05-27T07:32:00Z\n'))
try:
    tomllib.loads("a = ")
except tomllib.TOMLDecodeError as e:
    print(e)
made = plistlib.dumps({"a": [1, 2.5, True, "é<"], "b": b"bytes", "d": {}})
print(made.decode(), plistlib.loads(made), plistlib.loads(plistlib.dumps({"k": [1, "x"]}, fmt=plistlib.FMT_BINARY)))
print(quopri.encodestring("é = x\t\n".encode()), quopri.decodestring(b"=C3=A9 =3D"))

# gettext, locale
print(gettext.gettext("hello"), gettext.ngettext("file", "files", 2), gettext.NullTranslations().gettext("x"))
print(locale.localeconv()["decimal_point"], locale.format_string("%.2f %d", (1234.5, 7), grouping=True), locale.atof("1.5"), locale.normalize("en_us.utf8"))
try:
    locale.setlocale(locale.LC_ALL, "xx_YY")
except locale.Error as e:
    print(e)
