"""Where weights were loaded from before there was `torch.hub`."""

from torch.hub import download_url_to_file as _download_url_to_file, load_state_dict_from_url as load_url
