# needs: pytorch_lightning
"""The plain loop of pytorch-lightning."""
import tempfile

import pytorch_lightning as pl
import torch


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)
        self.seen = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = torch.nn.functional.cross_entropy(self.layer(x), y)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("accuracy", (self.layer(x).argmax(1) == y).float().mean())

    def on_train_epoch_end(self):
        self.seen.append(f"{self.trainer.callback_metrics['loss'].item():.4f}")

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)]


pl.seed_everything(5, verbose=False)
x = torch.randn(64, 4)
data = torch.utils.data.TensorDataset(x, (x.sum(1) > 0).long())
loader = lambda shuffle: torch.utils.data.DataLoader(data, batch_size=16, shuffle=shuffle)
model = Net()
with tempfile.TemporaryDirectory() as folder:
    trainer = pl.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False,
                         enable_progress_bar=False, enable_model_summary=False, default_root_dir=folder)
    trainer.fit(model, loader(True), loader(False))
    print(model.seen, f"{trainer.callback_metrics['accuracy'].item():.4f}", trainer.global_step)
