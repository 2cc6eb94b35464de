from torch import _absent

_absent.fill(__name__, globals())
