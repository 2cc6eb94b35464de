"""Random pictures."""

import torch
from torchvision.datasets.vision import VisionDataset
from torchvision.transforms import functional


class FakeData(VisionDataset):
    def __init__(
        self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None,
        random_offset=0,
    ):
        super().__init__(transform=transform, target_transform=target_transform)
        self.size = size
        self.num_classes = num_classes
        self.image_size = image_size
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{self.__class__.__name__} index out of range")
        # The same picture for an index, and nobody else's draws are moved.
        state = torch.get_rng_state()
        torch.manual_seed(index + self.random_offset)
        image = torch.randn(*self.image_size)
        target = torch.randint(0, self.num_classes, size=(1,), dtype=torch.long)[0]
        torch.set_rng_state(state)
        return self._transformed(functional.to_pil_image(image), target.item())

    def __len__(self):
        return self.size
