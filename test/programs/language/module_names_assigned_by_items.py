level = 5; total = 0
names = globals()
for i in range(2000):
    total += level
    names.update(level=i % 7)
print(total)
level = 5; total = 0
for i in range(2000):
    total += level
    names["level"] = i % 5
print(total)
level = 5; total = 0; setdef = names.setdefault
for i in range(2000):
    total += level
    names.pop("level"); names.setdefault("level", i % 3)
print(total)
level = 5; total = 0
for i in range(2000):
    total += level
    exec("level = i % 4")
print(total)
