# needs: rich
import io

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.pretty import pretty_repr
from rich.progress import track
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

console = Console(file=io.StringIO(), width=60, force_terminal=True, color_system="truecolor", legacy_windows=False)
table = Table(title="T", show_lines=True)
table.add_column("a", justify="right", style="cyan")
table.add_column("b")
table.add_row("1", "[bold]x[/bold]")
table.add_row("22", "é 漢字")
console.print(table)
console.print(Panel(Text("hi", style="red"), title="p"), "[green]done[/] :smile:", {"a": [1, None]})
tree = Tree("root")
tree.add("one").add("two")
console.print(tree, Markdown("# H\n\n- a\n- *b*\n\n`c`"))
console.print(Syntax("def f(x):\n    return x + 1\n", "python", theme="ansi_dark"))
print(console.file.getvalue())
print(pretty_repr({"k": list(range(40)), "s": "x" * 30}, max_width=40))
