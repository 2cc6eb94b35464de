"""The order of sets is that of the hashes of their elements, those of texts included."""
import sys

# Texts hash as they do where nobody asked for random hashes.
print({8, 1, 16, 3, 100, 77}, {1, 2.5, "x", "yy"}, {1, "a"} | {"b"})
print([*{"b", "a", *"hello world"}], [*{*(), "q", "r"}], frozenset("sets of texts"))
for text in ("", "a", "dog", "hello world", "ä", "größe", "日本", "a日", "😀x", "\ud800", "x" * 100):
    print(hash(text), hash(text.encode("utf-8", "surrogatepass")))
words = "i like dog i love coffee i hate milk the quick brown fox jumps over the lazy dog".split()
print(list(set(words)))
index = {word: at for at, word in enumerate(set(words))}
print(index, sys.hash_info.width)


def total(names):
    """A set of constants in hot code."""
    seen = 0
    for name in names:
        for at, other in enumerate({"jumps", "over", "fox", "i"}):
            if name == other:
                seen += 10**at
    return seen


print([total(words) for _ in range(30)][-1])
