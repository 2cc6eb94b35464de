"""Five bodies, positions and velocities as lists."""

import math


def advance(pos, vel, mass, dt, steps):
    n = len(mass)
    for _ in range(steps):
        for i in range(n):
            pi = pos[i]
            vi = vel[i]
            mi = mass[i]
            for j in range(i + 1, n):
                pj = pos[j]
                vj = vel[j]
                dx = pi[0] - pj[0]
                dy = pi[1] - pj[1]
                dz = pi[2] - pj[2]
                d2 = dx * dx + dy * dy + dz * dz
                mag = dt / (d2 * math.sqrt(d2))
                mj = mass[j]
                vi[0] -= dx * mj * mag
                vi[1] -= dy * mj * mag
                vi[2] -= dz * mj * mag
                vj[0] += dx * mi * mag
                vj[1] += dy * mi * mag
                vj[2] += dz * mi * mag
        for i in range(n):
            p = pos[i]
            v = vel[i]
            p[0] += dt * v[0]
            p[1] += dt * v[1]
            p[2] += dt * v[2]


pos = [[0.0, 0.0, 0.0], [4.84, -1.16, -0.1], [8.34, 4.12, -0.4], [12.89, -15.11, -0.22], [15.37, -25.9, 0.18]]
vel = [[0.0, 0.0, 0.0], [0.61, 2.81, -0.02], [-1.01, 1.81, 0.01], [1.08, 0.87, -0.01], [0.98, 0.59, -0.03]]
mass = [39.47, 0.037, 0.011, 0.0017, 0.002]
advance(pos, vel, mass, 0.01, 150_000)
print(pos, vel)
