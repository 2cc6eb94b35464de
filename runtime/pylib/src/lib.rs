//! torch.nn, torch.optim, torch.utils.data in Python, embedded in the binary.
