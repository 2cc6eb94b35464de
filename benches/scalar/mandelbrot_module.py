"""The Mandelbrot set at module level."""

width = 640
height = 400
most = 250
total = 0
for py in range(height):
    y0 = py / height * 2.0 - 1.0
    for px in range(width):
        x0 = px / width * 3.5 - 2.5
        zr = 0.0
        zi = 0.0
        n = 0
        while n < most:
            zr2 = zr * zr
            zi2 = zi * zi
            if zr2 + zi2 > 4.0:
                break
            zi = 2.0 * zr * zi + y0
            zr = zr2 - zi2 + x0
            n += 1
        total += n
print(total)
