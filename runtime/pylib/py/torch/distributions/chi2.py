"""Chi2: the gamma distribution of sums of squares."""

from torch.distributions import constraints
from torch.distributions.gamma import Gamma


class Chi2(Gamma):
    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args)

    @property
    def df(self):
        return self.concentration * 2
