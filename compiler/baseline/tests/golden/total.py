def total(items):
    sum = 0
    for x in items:
        sum += x
    return sum


for i in range(5):
    print(total([0.5, 1.5]))
