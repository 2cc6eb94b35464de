"""torch.backends: libraries that PyTorch computes with, and their switches. None of them is here, so no switch changes anything."""

from torch.backends import cuda, cudnn, mkl, mkldnn, mps, openmp, opt_einsum
