# Integers without bound, and their arithmetic.
print(2**100, -(2**64), 10**30 // 7, 10**30 % 7, -(10**20) // 3, -(10**20) % 3)
print(divmod(-7, 2), divmod(7, -2), -7 // 2, -7 % 3, 7 % -3)
fact = 1
for i in range(1, 31):
    fact *= i
print(fact, len(str(fact)))
a, b = 0, 1
for _ in range(200):
    a, b = b, a + b
print(a)
print(9223372036854775807 + 1, -9223372036854775808 - 1, 4611686018427387904 * 2)
print(1 << 70, (1 << 70) >> 68, -1 >> 5, -5 >> 1, 0xFF & ~0xF, 5 ^ 3, 2**64 | 1)
print(hex(2**65), bin(10), oct(64), int("ff", 16), int("-0b101", 0), int("1_000"))
print((2**64).bit_length(), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "big"))
print(pow(3, 200, 10**9 + 7), pow(2, -1, 7), 2**-1, 0**0)
print(10**18 == 1e18, 2**53 + 1 == float(2**53 + 1), hash(2**61 - 1), 3 / 2, 10**25 / 10**24)
print(int(1e20), round(2.5), round(3.5), round(-2.5), round(1234, -2), int(-3.9))
print(f"{2**80:,} {2**80:x} {-5:b}", str(10**40), 12345678901234567890 * 98765432109876543210)
try:
    1 // 0
except ZeroDivisionError as e:
    print(e)
print(sum(range(10**5)), max(2**70, 3**40), sorted([2**65, 1, -(2**66)]), True + True, ~True)
