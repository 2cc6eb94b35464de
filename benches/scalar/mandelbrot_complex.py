"""The Mandelbrot set with complex numbers."""


def escape(c, most):
    z = 0
    for n in range(most):
        if abs(z) > 2:
            return n
        z = z * z + c
    return most


def main():
    width, height = 640, 480
    total = 0
    for y in range(height):
        for x in range(width):
            total += escape(complex(x / width * 3.5 - 2.5, y / height * 2.0 - 1.0), 250)
    print(total)


main()
