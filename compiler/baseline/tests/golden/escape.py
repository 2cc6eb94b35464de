def escape(x0, y0, most):
    zr = zi = 0.0
    n = 0
    while n < most and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + x0, 2.0 * zr * zi + y0
        n += 1
    return n


for steps in map(escape, [0.1] * 5, [0.2] * 5, [50] * 5):
    print(steps)
