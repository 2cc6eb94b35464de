# needs: tomli
import tomli

text = '''
title = "T\\u00e9"
[owner]
when = 1979-05-27T07:32:00-08:00
day = 1979-05-27
[[a.b]]
x = [1, 2.5, 0x1F, "s", {y = true}]
m = """
many
lines"""
'''
print(tomli.loads(text))
for bad in ("a = ", "a = 1\na = 2", "[a\n", "a = 1979-13-01"):
    try:
        tomli.loads(bad)
    except tomli.TOMLDecodeError as e:
        print(e)
