"""Fractions with complex numbers; floats from hexadecimal texts."""
from fractions import Fraction


def show(*fs):
    for f in fs:
        try: r = f()
        except Exception as e: r = (type(e).__name__, str(e))
        print(repr(r))


F = Fraction(1,3)
show(lambda: F + 1j, lambda: 1j + F, lambda: F * 2j, lambda: F - 1j, lambda: 2j - F, lambda: F / 2j, lambda: 2j / F, lambda: F == (1/3+0j), lambda: Fraction(1,2) == 0.5+0j, lambda: 0.5+0j == Fraction(1,2), lambda: Fraction(1,2) == 0.5+1j, lambda: F < 1j, lambda: F ** 2j, lambda: 2j ** F, lambda: complex(F), lambda: F // 2j, lambda: F % 2j, lambda: hash(Fraction(1,2))==hash(0.5+0j), lambda: Fraction(1j), lambda: Fraction(2)**-2, lambda: Fraction(-8)**F, lambda: 2.0**Fraction(1,2), lambda: Fraction(1,2)**2.0, lambda: sum([F,1j]), lambda: Fraction(1,2) in [0.5+0j], lambda: complex(Fraction(1,2), Fraction(1,4)), lambda: F.real, lambda: F.imag, lambda: F.conjugate(), lambda: abs(-F), lambda: pow(F, 2, 5), lambda: float('nan') == F, lambda: F < float('inf'), lambda: F < float('nan'))
fh = float.fromhex
for s in ['0x1p-1074','0x1p-1075','0x1.8p-1075','0x1.0000000000001p-1075','0x1p1024','0x1.fffffffffffff8p1023','0x1.fffffffffffff7p1023','0x1.fffffffffffff7ffffffp1023','inf','-Infinity',' nan ','+NaN','0x','0x.p1','0x.8','1','.1p3','0x1.8P+2','1p','0xp','0x1p5 ','\t0x1\n','0x1 p1','x1','0X1','0x1_0','0x1p1_0','0x123456789abcdef01','0x10000000000000800','0x10000000000000801','0x1.00000000000008p0','0x1.000000000000080001p0','0x1.00000000000018p0','-0x0','0x0p99999999999999999999','0x1p99999999999999999999','0x1p-99999999999999999999','0x0.0000000000000000000000000001p200','infinit','nanx','','  ','-','1e5','0x1.p1','0x..1','0x1p1.5','0x1p--1','\u00a01','１','0x'+'0'*400+'1','0x0.'+'0'*400+'1p1600','0x1.fffffffffffffp-1023','0x0.fffffffffffff8p-1022','0x0.8p-1074', '0x0.80000001p-1074','1p-1076','0x1P0x1','++1','0x-1','inf inity','INF','0x1\x00']:
    show(lambda: fh(s))
show(lambda: fh(3), lambda: fh(b'0x1'), lambda: float.fromhex('0x1p0').hex(), lambda: (-0.0).hex(), lambda: float('inf').hex(), lambda: (5e-324).hex(), lambda: (1e300).hex(), lambda: float('-nan').hex())
class FF(float):
    def __new__(cls, v): return float.__new__(cls, v*2)
show(lambda: FF.fromhex('0x1p0'), lambda: type(FF.fromhex('0x1p0')))
