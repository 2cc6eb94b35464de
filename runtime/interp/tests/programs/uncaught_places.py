def index(data, i):
    return data[i]["key"] + 1

def arithmetic(a, b):
    return (a +
            b) * index([{"key": None}], 0)

class Node:
    def __init__(self, value):
        self.value = value

    def total(self):
        return self.value.total() if self.value else arithmetic(1, 2)

print("before")
result = Node(Node(None)).total()
print("never")
