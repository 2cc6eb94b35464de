for i in range(3):
    if i:
        continue
    print(i)
else:
    print("done")

while True:
    if a:
        break
    elif b and not c:
        continue
    step()

while a < b < c:
    a += 1
else:
    end()


def search(rows):
    for row in rows:
        for cell in row:
            if cell is None:
                break
            if cell:
                return cell
        else:
            return row
    while 0:
        never()
