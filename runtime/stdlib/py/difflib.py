"""Differences of sequences, by their longest common parts (Ratcliff and Obershelp)."""

import heapq
from collections import namedtuple

__all__ = ["get_close_matches", "SequenceMatcher", "unified_diff", "Match"]
_LATER = ("ndiff", "restore", "Differ", "context_diff", "HtmlDiff")

Match = namedtuple("Match", "a b size")


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        self.a = a
        self._blocks = None

    def set_seq2(self, b):
        self.b = b
        self._blocks = None
        self._counts = None
        places = {}
        for i, item in enumerate(b):
            places.setdefault(item, []).append(i)
        self.bjunk, self.bpopular = set(), set()
        if self.isjunk:
            self.bjunk = {item for item in places if self.isjunk(item)}
        if self.autojunk and len(b) >= 200:
            self.bpopular = {i for i, at in places.items() if i not in self.bjunk and len(at) > len(b) // 100 + 1}
        for item in self.bjunk | self.bpopular:
            del places[item]
        self.b2j = places

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b, places = self.a, self.b, self.b2j
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        best_i, best_j, best = alo, blo, 0
        lengths = {}
        for i in range(alo, ahi):
            now = {}
            for j in places.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                k = now[j] = lengths.get(j - 1, 0) + 1
                if k > best:
                    best_i, best_j, best = i - k + 1, j - k + 1, k
            lengths = now
        # What is not looked for may be part of a match: first what is popular, then junk.
        for junk in (False, True):
            while best_i > alo and best_j > blo and (b[best_j - 1] in self.bjunk) == junk and a[best_i - 1] == b[best_j - 1]:
                best_i, best_j, best = best_i - 1, best_j - 1, best + 1
            while (
                best_i + best < ahi and best_j + best < bhi and (b[best_j + best] in self.bjunk) == junk
                and a[best_i + best] == b[best_j + best]
            ):
                best += 1
        return Match(best_i, best_j, best)

    def get_matching_blocks(self):
        if self._blocks is not None:
            return self._blocks
        todo, found = [(0, len(self.a), 0, len(self.b))], []
        while todo:
            alo, ahi, blo, bhi = todo.pop()
            i, j, size = match = self.find_longest_match(alo, ahi, blo, bhi)
            if size:
                found.append(match)
                if alo < i and blo < j:
                    todo.append((alo, i, blo, j))
                if i + size < ahi and j + size < bhi:
                    todo.append((i + size, ahi, j + size, bhi))
        joined = []
        for i, j, size in sorted(found):
            if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                joined[-1] = Match(joined[-1][0], joined[-1][1], joined[-1][2] + size)
            else:
                joined.append(Match(i, j, size))
        joined.append(Match(len(self.a), len(self.b), 0))
        self._blocks = joined
        return joined

    def get_opcodes(self):
        i = j = 0
        found = []
        for ai, bj, size in self.get_matching_blocks():
            tag = "replace" if i < ai and j < bj else "delete" if i < ai else "insert" if j < bj else ""
            if tag:
                found.append((tag, i, ai, j, bj))
            i, j = ai + size, bj + size
            if size:
                found.append(("equal", ai, i, bj, j))
        return found

    def get_grouped_opcodes(self, n=3):
        codes = self.get_opcodes() or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        return _ratio(sum([size for _, _, size in self.get_matching_blocks()]), len(self.a) + len(self.b))

    def quick_ratio(self):
        if self._counts is None:
            self._counts = {}
            for item in self.b:
                self._counts[item] = self._counts.get(item, 0) + 1
        left, matches = dict(self._counts), 0
        for item in self.a:
            if left.get(item, 0) > 0:
                left[item] -= 1
                matches += 1
        return _ratio(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found = []
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    for possible in possibilities:
        matcher.set_seq1(possible)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), possible))
    return [possible for _, possible in heapq.nlargest(n, found)]


def _lines(start, stop):
    count = stop - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield f"--- {fromfile}{chr(9) + fromfiledate if fromfiledate else ''}{lineterm}"
            yield f"+++ {tofile}{chr(9) + tofiledate if tofiledate else ''}{lineterm}"
        first, last = group[0], group[-1]
        yield f"@@ -{_lines(first[1], last[2])} +{_lines(first[3], last[4])} @@{lineterm}"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
                continue
            if tag in ("replace", "delete"):
                for line in a[i1:i2]:
                    yield "-" + line
            if tag in ("replace", "insert"):
                for line in b[j1:j2]:
                    yield "+" + line


def __getattr__(name):
    if name in _LATER:
        raise AttributeError(f"difflib.{name} is not implemented in janus-jit yet")
    raise AttributeError(f"module 'difflib' has no attribute '{name}'")
