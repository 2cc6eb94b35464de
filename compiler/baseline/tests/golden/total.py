def total(items):
    sum = 0
    for x in items:
        sum += x
    return sum


for sum_of_two in map(total, [[0.5, 1.5]] * 5):
    print(sum_of_two)
