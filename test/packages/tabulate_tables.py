# needs: tabulate
from tabulate import tabulate

rows = [["spam", 41.9999], ["eggs", "451.0"], ["é", None], ["long name", -3]]
for form in ("plain", "simple", "github", "grid", "fancy_grid", "pipe", "html", "latex", "tsv", "rst"):
    print(tabulate(rows, headers=["item", "qty"], tablefmt=form, floatfmt=".2f", missingval="?"))
print(tabulate({"a": [1, 2], "b": ["x", "y"]}, headers="keys", showindex=True, colalign=("right", "center", "left")))
