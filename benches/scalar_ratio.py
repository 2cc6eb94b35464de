"""Programs of scalars: CPython's time over janus-jit's, whole commands, start-up included.

    python3 benches/scalar_ratio.py [path of janus-jit] [program ...]

Runs the two in turns, five times each, and prints the medians and their ratio. The outputs must be
the same. Run it with the python3 that is to be compared with.
"""

import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
TIMES = 5


def timed(command):
    start = time.perf_counter()
    output = subprocess.run(command, capture_output=True, check=True).stdout
    return time.perf_counter() - start, output


def main():
    given = [a for a in sys.argv[1:] if not a.endswith(".py")]
    jit = given[0] if given else HERE.parent / "target" / "release" / "janus-jit"
    programs = [a for a in sys.argv[1:] if a.endswith(".py")]
    print(f"{'program':<22} {'CPython':>9} {'janus-jit':>10} {'ratio':>7}")
    for program in programs or sorted((HERE / "scalar").glob("*.py")):
        cpython, ours = [], []
        for _ in range(TIMES):
            seconds, expected = timed([sys.executable, program])
            cpython.append(seconds)
            seconds, output = timed([jit, "run", program])
            ours.append(seconds)
            if output != expected:
                sys.exit(f"{program}: the outputs differ")
        a, b = statistics.median(cpython), statistics.median(ours)
        print(f"{pathlib.Path(program).stem:<22} {a:>8.3f}s {b:>9.3f}s {a / b:>6.1f}x", flush=True)


if __name__ == "__main__":
    main()
