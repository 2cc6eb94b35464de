"""Draws samples of one function, runs them, and keeps some of each outcome."""
import ast
import os
import signal
import sys
import warnings

from draw import Draw

warnings.simplefilter('ignore')
import driver_of

NAMES = driver_of.names()


class TooLong(BaseException):
    pass


def _alarm(_signal, _frame):
    raise TooLong


signal.signal(signal.SIGALRM, _alarm)


def outcome(body, arguments, longest=2500):
    """Whether a sample runs here, and a text that tells one kind of outcome from another; of longer ones nothing."""
    source = 'lambda: (lambda %s: (%s))(%s)' % (', '.join(PARAMETERS[:len(arguments)]), body, ', '.join(arguments))
    try:
        code = compile(source, '<sample>', 'eval')
    except SyntaxError:
        return None
    signal.setitimer(signal.ITIMER_REAL, 0.6)
    try:
        NAMES['torch'].manual_seed(0)
        out = eval(code, NAMES)()
        text = NAMES['_show'](out)
        if ' at 0x' in text or len(text) > longest:
            return None
        return True, text
    except TooLong:
        return None
    except Exception as e:
        return False, type(e).__name__ + ': ' + str(e)[:24]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


PARAMETERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']


def apart(make):
    """What a function gives in a process of its own, or None where the process ends: PyTorch itself may crash."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(write, 'wb') as f:
                f.write(repr(make()).encode('utf-8', 'surrogatepass'))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, 'rb') as f:
        text = f.read().decode('utf-8', 'surrogatepass')
    os.waitpid(child, 0)
    return ast.literal_eval(text) if text else None


class Samples:
    """What was kept, by topic."""

    def __init__(self, wanted):
        self.topics = {}
        self.wanted = wanted
        self.skipped = []

    def knows(self, name):
        return self.wanted is None or name in self.wanted

    def keep(self, topic, key, drawn, good, bad, tries):
        """Draws with `drawn(Draw)` -> (body, arguments) or None until there are `good` samples that run and `bad` that raise."""
        for seed in [key, key + ' again']:
            chosen = apart(lambda: self.chosen(seed, drawn, good, bad, tries))
            if chosen is not None:
                break
            print(key, 'ended the process', file=sys.stderr)
        self.add(topic, key, chosen or [])

    def chosen(self, seed, drawn, good, bad, tries):
        d = Draw(seed)
        seen = set()
        outcomes = {}
        chosen = []
        left = {True: good, False: bad}
        for _ in range(tries):
            if left[True] <= 0 and left[False] <= 0:
                break
            sample = drawn(d)
            if sample is None:
                continue
            body, arguments = sample
            source = body + ' :: ' + ', '.join(arguments)
            if source in seen or len(source) > 700 or '\n' in source:
                continue
            seen.add(source)
            try:
                result = outcome(body, arguments)
            except TooLong:
                # The alarm came when the sample was over.
                continue
            if result is None:
                continue
            ran, text = result
            known = outcomes.get(text, 0)
            if left[ran] <= 0 or known >= (2 if ran else 1):
                continue
            outcomes[text] = known + 1
            left[ran] -= 1
            chosen.append((body, arguments))
        return chosen

    def add(self, topic, key, chosen):
        if not chosen:
            if ' ' not in key:
                self.skipped.append(key)
            return
        self.topics.setdefault(topic, []).append((key, chosen))

    def write(self, folder):
        total = 0
        for topic, keys in self.topics.items():
            lines = []
            for key, chosen in keys:
                lines.append('@' + key)
                for body, arguments in chosen:
                    lines.append(body + (' :: ' + ', '.join(arguments) if arguments else ''))
                    total += 1
            with open('%s/%s.txt' % (folder, topic), 'w') as f:
                f.write('\n'.join(lines) + '\n')
        return total
