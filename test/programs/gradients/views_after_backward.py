# What leaves a step beside a view of it, after backward went through both; what a branch made anew.
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(2, 2); v_ = nn.Linear(2, 1); opt = torch.optim.SGD(net.parameters(), lr=0.01)
state = [0.1, 0.2]; t = 0
for update in range(30):
    lp = []; values = []
    for _ in range(6):
        s = torch.tensor(state, dtype=torch.float32)
        logits = net(s); v = v_(s)
        lp.append(logits.max()); values.append(v.squeeze(0))
        t += 1
        state = [state[0] * 1.01, state[1] + v.item()]
        if v.item() > 0.3:
            state = [0.1, 0.2]
    loss = torch.stack(lp).mean() + torch.stack(values).mean()
    opt.zero_grad(); loss.backward()
    opt.step()
    if update % 20 == 0: print(update, f"{loss.item():.5f}")
print(v.requires_grad, values[-1].data_ptr() == v.data_ptr(), state[0] < 1.0)
try:
    values[-1].backward()
except RuntimeError as e:
    print(str(e)[:60])
