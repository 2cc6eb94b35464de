# needs: click
import click
from click.testing import CliRunner


@click.group()
@click.option("--verbose/--quiet", default=False, help="Say more.")
@click.pass_context
def cli(ctx, verbose):
    """A tool."""
    ctx.obj = verbose


@cli.command()
@click.argument("name", type=click.Choice(["a", "b"]))
@click.option("-n", "--count", type=click.IntRange(1, 5), default=1, show_default=True)
@click.option("--size", nargs=2, type=float)
@click.pass_obj
def hello(verbose, name, count, size):
    """Greets."""
    click.secho(f"{verbose} {name * count} {size}", fg="green")
    if count == 5:
        raise click.ClickException("too many")


runner = CliRunner()
for args in (["--help"], ["hello", "--help"], ["--verbose", "hello", "a", "-n", "2", "--size", "1", "2.5"], ["hello", "c"],
             ["hello", "a", "-n", "9"], ["hello", "b", "-n", "5"], ["nope"]):
    result = runner.invoke(cli, args)
    print(result.exit_code, result.output)
