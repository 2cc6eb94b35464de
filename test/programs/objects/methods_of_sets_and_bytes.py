def main():
    s = set(); fs = frozenset([1, 2]); b = b'abc'; ba = bytearray(b'xyz')
    t = 0
    for i in range(3000):
        x = s if i % 3 else fs
        t += len(x.union([i])) + b.find(b'c') + ba.find(b'z') + (b if i % 2 else ba).count(b'a')
        s.add(i % 7)
        if i % 5 == 0: s.discard(3)
    print(t, sorted(s))
    try: fs.add(3)
    except AttributeError as e: print(e)
main()
