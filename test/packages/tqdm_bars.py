# needs: tqdm
import io

from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto

out = io.StringIO()
for i in tqdm(range(5), file=out, desc="go", ascii=True, ncols=60, mininterval=0, bar_format="{desc}|{bar}|{n_fmt}/{total_fmt}"):
    pass
print(out.getvalue().split("\r"))
out = io.StringIO()
with tqdm(total=100, file=out, unit="B", unit_scale=True, bar_format="{n_fmt}/{total_fmt} {postfix}", mininterval=0) as bar:
    for step in (10, 40, 50):
        bar.set_postfix(loss=step / 7, refresh=False)
        bar.update(step)
print(out.getvalue().split("\r"))
print(tqdm.format_sizeof(123456), tqdm.format_interval(3723), tqdm.format_meter(3, 10, 1.5, ncols=70, ascii=True))
print(sum(trange(10, disable=True)), sum(auto([1, 2], disable=True)))
