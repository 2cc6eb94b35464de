# User-defined containers and the abstract protocols behind syntax.
class Stack:
    def __init__(self, items=()):
        self._items = list(items)

    def push(self, x):
        self._items.append(x)
        return self

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return reversed(self._items)

    def __getitem__(self, i):
        return self._items[-1 - i] if isinstance(i, int) else list(self)[i]

    def __setitem__(self, i, v):
        self._items[-1 - i] = v

    def __delitem__(self, i):
        del self._items[-1 - i]

    def __contains__(self, x):
        return x in self._items

    def __reversed__(self):
        return iter(self._items)

    def __hash__(self):
        return hash(tuple(self._items))

    def __eq__(self, other):
        return isinstance(other, Stack) and self._items == other._items

    def __str__(self):
        return "Stack<" + ", ".join(map(str, self)) + ">"


s = Stack([1, 2]).push(3)
print(s, len(s), s[0], s[1:], 2 in s, list(reversed(s)), bool(Stack()))
s[0] = "top"
del s[1]
print(s, s == Stack([1, "top"]), {s: "v"}[Stack([1, "top"])])
s[0] += "!"
a, b = s
print(a, b, [*s], dict(zip(s, "xy")))


class LinkedList:
    def __init__(self, *values):
        self.head = None
        for v in reversed(values):
            self.head = (v, self.head)

    def __iter__(self):
        node = self.head
        while node:
            value, node = node
            yield value


print(list(LinkedList(1, 2, 3)), sum(LinkedList(*range(10))), 2 in LinkedList(1, 2), "-".join(LinkedList("a", "b")))
