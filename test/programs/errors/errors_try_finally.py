# try/finally with returns, continues and breaks; finally runs exactly once each time.
import torch

events = []


def guarded(x, i):
    try:
        if i % 5 == 4:
            return x * 100
        x = x + 1
        if i % 9 == 8:
            raise KeyError(i)
    finally:
        events.append(i)
    return x


def loop(n):
    x = torch.zeros(())
    for i in range(n):
        try:
            if i == 3:
                continue
            if i == 12:
                break
            x = guarded(x, i)
        except KeyError as e:
            events.append(("key", e.args[0]))
        else:
            events.append("ok")
        finally:
            x = x * 0.5
    return x


for n in (10, 10, 10, 14, 10):
    events.clear()
    x = loop(n)
    print(n, f"{x.item():.5f}", len(events), events.count("ok"), [e for e in events if isinstance(e, tuple)])
