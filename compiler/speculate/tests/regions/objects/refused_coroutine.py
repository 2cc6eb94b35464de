# A coroutine keeps a frame of its own.
import asyncio
import torch

async def work(x):
    return x * 2

def step(x):  # region
    y = x * 3
    return asyncio.run(work(y))

for _ in range(5):
    step(torch.ones(2))
