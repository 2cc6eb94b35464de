# The package regex, which is built in; its golden output needs an oracle with the package.
import regex

gpt2 = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
gpt4 = regex.compile(r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s")
for text in ("Hello world, it's 2024!  What's ünïcode?\n\n", "don't  stop 漢字 12345", ""):
    print(gpt2.findall(text), regex.findall(gpt4, text))
print(regex.findall(r"\w\w", "abcd", overlapped=True), regex.sub(r"(?<a>\d)(?P<b>\w)", r"\g<b>\1", "1a2b"), regex.escape("a.b c"))
print(regex.split(r"[\s,]+", "a, b c"), regex.findall(r"(?V1)[\w--[aeiou]]+", "hello"), regex.findall(r"[[:alpha:]]+", "aé1"))
print(regex.findall(r"\X", "e\u0301a\r\n👍🏽"), regex.fullmatch(r"\p{Lu}\p{Ll}+", "Été"), regex.subf("(a)(b)", "{2}{1}", "abab"))
print(regex.findall(r"\mfoo\M|\h+|\R", "foo foot \t\r\n"), regex.search(r"a\Kb", "ab"), regex.findall(r"\P{L}", "a1é"))
for bad in (r"\p{Foo}", "(", "[", "a**", r"\q"):
    try:
        regex.compile(bad)
    except regex.error as e:
        print(type(e).__name__)
