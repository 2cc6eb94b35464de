"""Makes the samples: make.py FOLDER [NAMES [SCALE]], where NAMES is a file with the names that there are, one a line."""
import sys

import keep
import nn_rules
import numpy_rules
import python_rules
import torch_rules

RULES = [torch_rules, nn_rules, numpy_rules, python_rules]


def main():
    folder = sys.argv[1]
    names = sys.argv[2] if len(sys.argv) > 2 else '-'
    wanted = None
    if names != '-':
        with open(names) as f:
            wanted = set(f.read().split())
    scale = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    samples = keep.Samples(wanted)
    for rules in RULES:
        rules.make(samples, scale)
    print(samples.write(folder), 'samples')
    print('no samples of:', ' '.join(samples.skipped), file=sys.stderr)


main()
