# Dictionaries: order, views, methods, merging.
d = {"one": 1, "two": 2}
d["three"] = 3
d["one"] = 11
print(d, len(d), "two" in d, 2 in d)
print(list(d), list(d.keys()), list(d.values()), list(d.items()))
print(d.get("x"), d.get("x", 0), d.setdefault("four", 4), d.pop("two"), d.pop("zz", None))
print(d, d.popitem(), d)
d.update({"a": 1}, b=2)
print(d | {"a": 100, "c": 3}, {**d, "z": 0})
d |= {"q": 9}
del d["b"]
print(d, list(reversed(d)))
print(dict([("k", 1), ("l", 2)]), dict(a=1), dict.fromkeys("ab", 0), {1: "int", 1.0: "float", True: "bool"})
print({"a": 1, "b": 2} == {"b": 2, "a": 1}, d.keys() & {"a", "q"} == {"a", "q"}, ("a", 1) in d.items())
try:
    d["missing"]
except KeyError as e:
    print("KeyError", e, e.args)
try:
    {[]: 1}
except TypeError as e:
    print(e)
try:
    for k in d:
        d[k + "x"] = 1
except RuntimeError as e:
    print(e)


class Default(dict):
    def __missing__(self, key):
        self[key] = value = len(key)
        return value


m = Default()
print(m["abc"], m["z"], m, m.get("nope"))
counts = {}
for c in "mississippi":
    counts[c] = counts.get(c, 0) + 1
print(counts, sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))
copy = counts.copy()
copy.clear()
print(copy, len(counts), {(1, 2): "tuple key"}[1, 2])
