"""torchvision.version."""

__version__ = "0.26.0"
cuda = None
git_version = "Unknown"
