import unittest, inspect
def f():
    "doc f"
class A:
    "doc A"
    def m(self):
        "doc m"
    @property
    def p(self): "doc p"
    @classmethod
    def c(cls): "doc c"
    @staticmethod
    def s(): "doc s"
print(f.__doc__, A.__doc__, A.m.__doc__, A().m.__doc__, A.p.__doc__, A.c.__doc__, A.s.__doc__, A.__dict__['c'].__doc__, inspect.getdoc(A().m))
def g(): pass
class B:
    def m(self): pass
print(g.__doc__, B.__doc__, B().m.__doc__, B().__doc__, (lambda: 1).__doc__, property().__doc__, property(g).__doc__)
import types
print(types.ModuleType('x').__doc__, types.ModuleType('x','d').__doc__)
import re
print(re.sub('0x[0-9a-f]+','0x',repr(f)), re.sub('0x[0-9a-f]+','0x',repr(A().m)), f.__repr__()[:12], A().m.__repr__()[:12], types.ModuleType('q').__repr__(), sorted(k for k in types.FunctionType.__dict__ if 'repr' in k))
