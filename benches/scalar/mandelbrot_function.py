"""The Mandelbrot set in a function, with its parts as floats."""


def mandelbrot(width, height, most):
    total = 0
    for py in range(height):
        y0 = py / height * 2.0 - 1.0
        for px in range(width):
            x0 = px / width * 3.5 - 2.5
            zr = 0.0
            zi = 0.0
            n = 0
            while n < most and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + x0, 2.0 * zr * zi + y0
                n += 1
            total += n
    return total


print(mandelbrot(640, 480, 300))
