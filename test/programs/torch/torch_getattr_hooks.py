# What `__getattr__` answers in hot code: AttributeErrors of properties, of descriptors, of metaclasses.
import torch


class Lazy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2, 2)
        self.n = 0

    @property
    def bad(self):
        return self.lin.nope

    @property
    def counted(self):
        self.n += 1
        return self.missing


def module_attr(m, x):
    y = m.lin(x).sum() * 0
    try:
        m.bad
    except AttributeError as e:
        return y.item(), str(e), hasattr(m, 'bad'), getattr(m, 'bad', 'default')


def module_count(m, x):
    y = x * 2
    try:
        m.counted
    except AttributeError as e:
        return y.sum().item(), str(e), m.n


class Descriptor:
    def __get__(self, obj, owner=None):
        if obj is None:
            return 'of the class'
        raise AttributeError('of the descriptor')


class Answering:
    d = Descriptor()

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        self.asked.append(name)
        return 2.0

    @property
    def p(self):
        return self._none

    @property
    def q(self):
        raise KeyError('q')


def ask(a, x):
    try:
        a.q
    except KeyError as e:
        k = str(e)
    return (x * a.d + a.p).sum().item(), Answering.d, len(a.asked), k, hasattr(a, '_z'), getattr(a, '_p', 1)


class Meta(type):
    def __getattr__(cls, name):
        return name + ' of ' + cls.__name__

    @property
    def first(cls):
        return 'meta first'

    @property
    def fails(cls):
        raise AttributeError('fails')


class WithMeta(metaclass=Meta):
    first = 'class first'
    scale = 3.0


def of_class(x):
    return (x * WithMeta.scale).sum().item(), WithMeta.first, WithMeta.fails, WithMeta.nothing, WithMeta().first


x = torch.ones(1, 2)
m, a = Lazy(), Answering()
for i in range(8):
    print(module_attr(m, x))
    print(module_count(m, x))
    print(ask(a, x))
    print(of_class(x))
    if i == 5:
        Meta.__getattr__ = lambda cls, name: 'another ' + name
        WithMeta.scale = 4.0
