"""Which transform leads from unconstrained numbers to what a constraint holds for."""

from torch.distributions import constraints, transforms
from torch.distributions.transforms import _is_number


class ConstraintRegistry:
    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        if factory is None:
            return lambda function: self.register(constraint, function)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


# The one is a bijection, the other only reaches every value.
biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()
_BOTH = (biject_to, transform_to)


def _each(registries, *kinds):
    """Registers a function of the constraint and the registry that was asked."""

    def decorator(function):
        for registry in registries:
            for kind in kinds:
                registry.register(kind, lambda constraint, registry=registry: function(constraint, registry))
        return function

    return decorator


@_each(_BOTH, constraints.real)
def _to_real(constraint, registry):
    return transforms.identity_transform


@_each(_BOTH, constraints.independent)
def _to_independent(constraint, registry):
    return transforms.IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)


def _scaled(inner, loc, scale):
    return transforms.ComposeTransform([inner, transforms.AffineTransform(loc, scale)])


@_each(_BOTH, constraints.greater_than, constraints.greater_than_eq)
def _to_greater_than(constraint, registry):
    return _scaled(transforms.ExpTransform(), constraint.lower_bound, 1)


@_each(_BOTH, constraints.less_than)
def _to_less_than(constraint, registry):
    return _scaled(transforms.ExpTransform(), constraint.upper_bound, -1)


@_each(_BOTH, constraints.interval, constraints.half_open_interval)
def _to_interval(constraint, registry):
    low, high = constraint.lower_bound, constraint.upper_bound
    if _is_number(low) and _is_number(high) and low == 0 and high == 1:
        return transforms.SigmoidTransform()
    return _scaled(transforms.SigmoidTransform(), low, high - low)


@_each(_BOTH, constraints.corr_cholesky)
def _to_corr_cholesky(constraint, registry):
    return transforms.CorrCholeskyTransform()


@_each(_BOTH, constraints.cat)
def _to_cat(constraint, registry):
    return transforms.CatTransform([registry(part) for part in constraint.cseq], constraint.dim, constraint.lengths)


@_each(_BOTH, constraints.stack)
def _to_stack(constraint, registry):
    return transforms.StackTransform([registry(part) for part in constraint.cseq], constraint.dim)


biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda constraint: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda constraint: transforms.PositiveDefiniteTransform())
