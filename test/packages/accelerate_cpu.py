# needs: accelerate
"""accelerate on one CPU."""
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

set_seed(3)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
print(accelerator.device, accelerator.num_processes, accelerator.is_main_process)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 4)
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8, shuffle=True)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
model, optimizer, data, scheduler = accelerator.prepare(model, optimizer, data, scheduler)
for epoch in range(2):
    for a, b in data:
        with accelerator.accumulate(model):
            loss = torch.nn.functional.mse_loss(model(a), b)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    print(epoch, f"{loss.item():.5f}", f"{optimizer.param_groups[0]['lr']:.5f}")
print(f"{accelerator.gather(torch.tensor([1.0])).item()}", type(accelerator.unwrap_model(model)).__name__)
