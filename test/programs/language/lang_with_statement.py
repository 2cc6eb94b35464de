# Context managers: order, suppression, several at once.
class Manager:
    def __init__(self, name, suppress=False):
        self.name, self.suppress = name, suppress

    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()

    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.suppress


with Manager("a") as a, Manager("b") as b:
    print(a, b)

with Manager("s", suppress=True):
    raise ValueError("hidden")
print("went on")

try:
    with Manager("outer"):
        with Manager("inner"):
            raise KeyError("seen")
except KeyError as e:
    print("caught", e)


def early():
    with Manager("r"):
        return "returned"


print(early())

for i in range(3):
    with Manager(f"loop{i}"):
        if i == 0:
            continue
        break

with (
    Manager("p") as p,
    Manager("q"),
):
    print(p)

try:
    with 5:
        pass
except TypeError as e:
    print(e)
