"""difflib: close matches, the parts that two sequences share, unified diffs."""

import difflib

print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.get_close_matches("CartPol-v1", ["CartPole-v1", "CartPole-v0", "Acrobot-v1"], n=1))
for a, b in [("private volatile int", "volatile private int"), ("abcd", "bcde"), ("", ""), ([1, 2, 3, 4], [2, 3, 9]), ("qabxcd", "abycdf"), ("x" * 250 + "abc", "abcx" * 60)]:
    m = difflib.SequenceMatcher(None, a, b)
    print(round(m.ratio(), 6), round(m.quick_ratio(), 6), m.real_quick_ratio(), m.get_matching_blocks()[:4], m.get_opcodes()[:5])
m = difflib.SequenceMatcher(lambda x: x == " ", " abcd", "abcd abcd")
print(m.find_longest_match(0, 5, 0, 9), m.bjunk)
before, after = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n".splitlines(True), "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\n".splitlines(True)
print("".join(difflib.unified_diff(before, after, "a", "b", n=1)))
for n, cutoff in ((0, 0.5), (1, 2.0)):
    try:
        difflib.get_close_matches("a", ["a"], n, cutoff)
    except ValueError as error:
        print(error)
