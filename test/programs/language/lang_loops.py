# Loops with else, break and continue, nested.
for n in range(2, 12):
    for d in range(2, n):
        if n % d == 0:
            print(n, "=", d, "*", n // d)
            break
    else:
        print(n, "is prime")
i = 0
while i < 10:
    i += 1
    if i % 2:
        continue
    if i > 6:
        break
    print("even", i)
else:
    print("not reached")
while False:
    pass
else:
    print("else of while")
total = 0
for a in range(5):
    for b in range(5):
        if b == a:
            continue
        if a + b > 6:
            break
        total += a * b
print(total)
xs = [1, 2, 3, 4]
for x in xs:
    if x == 2:
        xs.remove(x)
print(xs)
for x in []:
    pass
else:
    print("empty", x)
steps, n = 0, 27
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print("collatz", steps)
print([r for r in range(3)], list(range(5, 0, -2)), len(range(0, 100, 7)), 14 in range(0, 100, 7), range(3) == range(0, 3, 1))
for i, (k, v) in enumerate({"a": 1, "b": 2}.items()):
    print(i, k, v)
