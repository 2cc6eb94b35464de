l = []
for x in range(100000): l = [l]
print("made")
