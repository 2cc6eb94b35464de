"""What all data sets have."""

import os

import torch.utils.data


class VisionDataset(torch.utils.data.Dataset):
    _repr_indent = 4

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if isinstance(root, str):
            root = os.path.expanduser(root)
        self.root = root
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.transform = transform
        self.target_transform = target_transform
        if transform is not None or target_transform is not None:
            transforms = StandardTransform(transform, target_transform)
        self.transforms = transforms

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def __repr__(self):
        body = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body += self.extra_repr().splitlines()
        if getattr(self, "transforms", None) is not None:
            body.append(repr(self.transforms))
        return "\n".join(["Dataset " + type(self).__name__] + [" " * self._repr_indent + line for line in body])

    def extra_repr(self):
        return ""

    def _transformed(self, image, target):
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


class StandardTransform:
    """One transform for inputs and one for targets."""

    def __init__(self, transform=None, target_transform=None):
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, input, target):
        if self.transform is not None:
            input = self.transform(input)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return input, target

    def _lines(self, transform, head):
        first, *rest = repr(transform).splitlines()
        return [head + first] + [" " * len(head) + line for line in rest]

    def __repr__(self):
        body = [type(self).__name__]
        if self.transform is not None:
            body += self._lines(self.transform, "Transform: ")
        if self.target_transform is not None:
            body += self._lines(self.target_transform, "Target transform: ")
        return "\n".join(body)
