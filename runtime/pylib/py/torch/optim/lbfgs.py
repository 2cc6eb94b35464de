"""Limited-memory BFGS: all parameters as one vector, steps from a history of gradient changes."""

import torch
from torch.optim.optimizer import Optimizer


def _with_grad(closure):
    def evaluate():
        with torch.enable_grad():
            return closure()

    return evaluate


def _cubic_minimum(x1, f1, g1, x2, f2, g2, bounds=None):
    """Where the cubic through two values and slopes is least, within bounds."""
    if bounds is not None:
        low, high = bounds
    else:
        low, high = (x1, x2) if x1 <= x2 else (x2, x1)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    # Not a number either.
    if not square >= 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        best = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        best = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(best, low), high)


class _Point:
    """What is known at one length of a step: the value, the gradient, the slope along the step."""

    def __init__(self, t, value, gradient, slope):
        self.t = t
        self.value = value
        self.gradient = gradient
        self.slope = slope


def _strong_wolfe(evaluate, t, direction, start, max_trials, tolerance_change=1e-9, c1=1e-4, c2=0.9):
    """A step that satisfies the strong Wolfe conditions: its point, and how many were evaluated."""
    evaluations = 0

    def at(t):
        nonlocal evaluations
        value, gradient = evaluate(t)
        evaluations += 1
        return _Point(t, value, gradient, gradient.dot(direction))

    def too_high(point):
        return point.value > start.value + c1 * point.t * start.slope

    largest = direction.abs().max()
    previous, new = start, at(t)
    done = False
    trials = 0
    bracket = None
    # First, lengths that grow until a good one lies between two.
    while trials < max_trials:
        if too_high(new) or (trials > 1 and new.value >= previous.value):
            bracket = [previous, new]
            break
        if abs(new.slope) <= -c2 * start.slope:
            bracket = [new]
            done = True
            break
        if new.slope >= 0:
            bracket = [previous, new]
            break
        bounds = (new.t + 0.01 * (new.t - previous.t), new.t * 10)
        t = _cubic_minimum(
            previous.t, previous.value, previous.slope, new.t, new.value, new.slope, bounds
        )
        previous, new = new, at(t)
        trials += 1
    if bracket is None:
        bracket = [start, new]

    # Then the bracket shrinks.
    stuck = False
    low, high = (0, 1) if bracket[0].value <= bracket[-1].value else (1, 0)
    while not done and trials < max_trials:
        a, b = bracket
        if abs(b.t - a.t) * largest < tolerance_change:
            break
        t = _cubic_minimum(a.t, a.value, a.slope, b.t, b.value, b.slope)
        least, most = min(a.t, b.t), max(a.t, b.t)
        # A trial too near an end of the bracket twice, or beyond it, is moved inwards.
        margin = 0.1 * (most - least)
        if min(most - t, t - least) < margin:
            if stuck or t >= most or t <= least:
                t = most - margin if abs(t - most) < abs(t - least) else least + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        new = at(t)
        trials += 1
        if too_high(new) or new.value >= bracket[low].value:
            bracket[high] = new
            low, high = (0, 1) if bracket[0].value <= bracket[1].value else (1, 0)
        else:
            if abs(new.slope) <= -c2 * start.slope:
                done = True
            elif new.slope * (bracket[high].t - bracket[low].t) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = new
    # One value is enough when the first phase ended at a good point.
    return bracket[low if len(bracket) > 1 else 0], evaluations


class LBFGS(Optimizer):
    _of_real_numbers = True

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        defaults = dict(
            lr=lr,
            max_iter=max_iter,
            max_eval=max_eval,
            tolerance_grad=tolerance_grad,
            tolerance_change=tolerance_change,
            history_size=history_size,
            line_search_fn=line_search_fn,
        )
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _flat_gradient(self):
        parts = []
        for p in self._params:
            if p.grad is None:
                parts.append(p.new_zeros(p.numel()))
            else:
                parts.append(p.grad.view(-1))
        return torch.cat(parts, 0)

    def _move(self, length, direction):
        offset = 0
        for p in self._params:
            count = p.numel()
            p.add_(direction[offset : offset + count].view_as(p), alpha=length)
            offset += count

    def _evaluate_at(self, closure, saved, length, direction):
        """Value and gradient a step away; the parameters are put back."""
        self._move(length, direction)
        value = float(closure())
        gradient = self._flat_gradient()
        for p, before in zip(self._params, saved):
            p.copy_(before)
        return value, gradient

    def _direction(self, gradient, state, known, history_size):
        """Learns from the last step, then the two-loop recursion."""
        y = gradient.sub(known["prev_flat_grad"])
        s = known["d"].mul(known["t"])
        ys = y.dot(s)
        old_y, old_s, ro = known["old_dirs"], known["old_stps"], known["ro"]
        if ys > 1e-10:
            if len(old_y) == history_size:
                old_y.pop(0)
                old_s.pop(0)
                ro.pop(0)
            old_y.append(y)
            old_s.append(s)
            ro.append(1.0 / ys)
            known["H_diag"] = ys / y.dot(y)
        count = len(old_y)
        alphas = state.setdefault("al", [None] * history_size)
        q = gradient.neg()
        for i in range(count - 1, -1, -1):
            alphas[i] = old_s[i].dot(q) * ro[i]
            q.add_(old_y[i], alpha=-alphas[i])
        r = torch.mul(q, known["H_diag"])
        for i in range(count):
            beta = old_y[i].dot(r) * ro[i]
            r.add_(old_s[i], alpha=alphas[i] - beta)
        return r

    @torch.no_grad()
    def step(self, closure):
        closure = _with_grad(closure)
        group = self.param_groups[0]
        lr = group["lr"]
        max_iter = group["max_iter"]
        tolerance_grad = group["tolerance_grad"]
        tolerance_change = group["tolerance_change"]
        line_search = group["line_search_fn"]
        # The state of all parameters is kept with the first.
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        first_loss = closure()
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        gradient = self._flat_gradient()
        optimal = gradient.abs().max() <= tolerance_grad
        if optimal:
            return first_loss

        # Of a step that a closure's error ends nothing is kept.
        kept = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")
        known = {name: state.get(name) for name in kept}
        iterations = 0
        while iterations < max_iter:
            iterations += 1
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                direction = gradient.neg()
                known.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
                length = min(1.0, 1.0 / gradient.abs().sum()) * lr
            else:
                direction = self._direction(gradient, state, known, group["history_size"])
                length = lr
            known["d"] = direction
            known["t"] = length
            known["prev_flat_grad"] = gradient
            known["prev_loss"] = loss
            slope = gradient.dot(direction)
            if slope > -tolerance_change:
                break

            trials = 0
            if line_search is not None:
                if line_search != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                saved = [p.clone() for p in self._params]
                point, trials = _strong_wolfe(
                    lambda t: self._evaluate_at(closure, saved, t, direction),
                    length,
                    direction,
                    _Point(0, loss, gradient, slope),
                    group["max_eval"] - evaluations,
                )
                loss, gradient, length = point.value, point.gradient, point.t
                known["t"] = length
                self._move(length, direction)
                optimal = gradient.abs().max() <= tolerance_grad
            else:
                self._move(length, direction)
                # The value after the last step is what the next call starts with.
                if iterations != max_iter:
                    loss = float(closure())
                    gradient = self._flat_gradient()
                    optimal = gradient.abs().max() <= tolerance_grad
                    trials = 1
            evaluations += trials
            state["func_evals"] += trials

            if iterations == max_iter or evaluations >= group["max_eval"] or optimal:
                break
            if direction.mul(length).abs().max() <= tolerance_change:
                break
            if abs(loss - known["prev_loss"]) < tolerance_change:
                break
        state.update(known)
        return first_loss
