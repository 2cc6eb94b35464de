"""`re.Scanner`: a text cut into tokens by the first of several patterns that matches."""

import re


class Scanner:
    def __init__(self, lexicon, flags=0):
        if isinstance(flags, re.RegexFlag):
            flags = flags.value
        self.lexicon = lexicon
        # Each pattern is a group of its own, of which the last that closed tells the place.
        self._places = {}
        parts, groups = [], 0
        for place, (phrase, _) in enumerate(lexicon):
            groups += 1
            self._places[groups] = place
            parts.append(f"({phrase})")
            groups += re.compile(phrase, flags).groups
        self.scanner = re.compile("|".join(parts), flags)

    def scan(self, string):
        result, at = [], 0
        match = self.scanner.match
        while found := match(string, at):
            end = found.end()
            if end == at:
                break
            group = next(g for g in self._places if found.start(g) >= 0)
            action = self.lexicon[self._places[group]][1]
            if callable(action):
                self.match = found
                action = action(self, found.group())
            if action is not None:
                result.append(action)
            at = end
        return result, string[at:]
