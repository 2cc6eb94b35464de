def compute(values):
    total = 0
    for value in values:
        total += valeu
    return total

compute([1])
