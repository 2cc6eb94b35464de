# Descriptors that set and do not delete, or delete and do not set: one slot is behind both.
class Sets:
    def __set__(self, o, v): o.__dict__['sets'] = v


class Deletes:
    def __get__(self, o, t): return 'got'
    def __delete__(self, o): o.__dict__['deleted'] = o.__dict__.get('deleted', 0) + 1


class Both(Sets, Deletes):
    pass


class A:
    sets, deletes, both = Sets(), Deletes(), Both()


def tried(f, *args):
    try:
        return f(*args)
    except AttributeError as e:
        return 'AttributeError ' + str(e)


a = A()
for i in range(60):
    row = [
        tried(setattr, a, 'sets', i), tried(delattr, a, 'sets'), tried(setattr, a, 'deletes', i), tried(delattr, a, 'deletes'),
        tried(setattr, a, 'both', i), tried(delattr, a, 'both'), a.deletes, a.sets, sorted(a.__dict__),
    ]
    if i == 20: a.__dict__['deletes'] = 'own'
    if i == 30: Sets.__delete__ = lambda self, o: None
    if i == 40: Deletes.__set__ = lambda self, o, v: o.__dict__.__setitem__('late', v)
    if i == 50: del Deletes.__set__, Deletes.__delete__
    if i % 10 in (1, 9): print(i, row)
