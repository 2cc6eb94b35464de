
class Custom(Exception):
    pass

def parse(text):
    try:
        return int(text)
    except ValueError as e:
        raise Custom("cannot parse") from e

def run(items):
    for item in items:
        try:
            print(parse(item))
        except Custom:
            table = {"a": 1}
            print(table[item] + 1)

print("start")
run(["1", "2", "x"])
