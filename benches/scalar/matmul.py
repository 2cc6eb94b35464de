"""Lists of lists of floats."""


def matmul(a, b):
    n = len(a)
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            total = 0
            for k in range(n):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return c


n = 300
a = [[(i * j % 7) * 0.5 for j in range(n)] for i in range(n)]
b = [[(i + j) % 5 * 0.25 for j in range(n)] for i in range(n)]
c = matmul(a, b)
print(sum(map(sum, c)))
