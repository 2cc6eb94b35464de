"""torch.random."""

from torch._C import get_rng_state, initial_seed, manual_seed, seed, set_rng_state
