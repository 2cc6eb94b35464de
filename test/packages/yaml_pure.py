# needs: yaml
import yaml

text = """
a: 1
b: [x, 2.5, true, null, ~]
c: &anchor {d: 2020-01-02, e: "q\\n"}
f: *anchor
g: |
  line 1
  line 2
h: >
  folded
  text
i: !!python/tuple [1, 2]
"""
print(yaml.load(text, Loader=yaml.FullLoader))
print(yaml.safe_dump({"z": [1, {"y": None}], "a": "two\nlines", "n": 1.5, "t": True, "u": "é"}, allow_unicode=True), end="")
print(yaml.dump({"set": {1, 2}, "tuple": (1, "a")}, default_flow_style=False, sort_keys=False), end="")
print(list(yaml.safe_load_all("a\n---\nb: 1\n")))
for bad in ("a: [1", "a: b: c", "\tx: 1", "!!python/object:os.system {}"):
    try:
        yaml.safe_load(bad)
    except yaml.YAMLError as e:
        print(type(e).__name__, str(e).splitlines()[0])


class Point:
    def __init__(self, x):
        self.x = x


yaml.add_representer(Point, lambda d, p: d.represent_mapping("!p", {"x": p.x}))
yaml.add_constructor("!p", lambda l, n: Point(**l.construct_mapping(n)), Loader=yaml.SafeLoader)
print(yaml.dump(Point(3)), yaml.safe_load("!p {x: 4}").x)
