"""code, codeop, tokenize, cmd, sched, getopt, optparse, filecmp, fileinput, glob, shelve, pkgutil, sysconfig, stat, hmac, token."""

import cmd
import code
import codeop
import filecmp
import fileinput
import getopt
import glob
import hmac
import io
import keyword
import optparse
import os
import pkgutil
import sched
import selectors
import shelve
import socket
import stat
import sysconfig
import tabnanny
import tempfile
import time
import token
import tokenize

# tokens
SOURCE = 'def f(a, *, b=1):\n    """doc"""\n    return f"{a!r}" + rb"x" if a >= 0x1F else None  # end\n'
for found in tokenize.generate_tokens(io.StringIO(SOURCE).readline):
    print(tokenize.tok_name[found.exact_type], repr(found.string), found.start, found.end)
print(tokenize.untokenize(tokenize.generate_tokens(io.StringIO(SOURCE).readline)) == SOURCE, token.ISTERMINAL(token.NAME), keyword.iskeyword("def"))
try:
    list(tokenize.generate_tokens(io.StringIO("(1").readline))
except tokenize.TokenError as e:
    print(e)
print([codeop.compile_command(text) is not None for text in ("x = 1", "if x:", "for i in y:\n  pass\n\n")])
try:
    codeop.compile_command("x = = 1")
except SyntaxError as e:
    print(e.msg)
interpreter = code.InteractiveInterpreter({"x": 20})
print(interpreter.runsource("print(x + 1)"), interpreter.runsource("if x:"))


class Shell(cmd.Cmd):
    prompt = "> "
    intro = "welcome"

    def do_add(self, line):
        """add numbers"""
        print(sum(map(int, line.split())), file=self.stdout)

    def do_quit(self, line):
        return True

    def default(self, line):
        print("what?", line, file=self.stdout)


shell = Shell(stdin=io.StringIO("add 1 2\nhelp add\nnope x\nquit\n"), stdout=(out := io.StringIO()))
shell.use_rawinput = False
shell.cmdloop()
print(out.getvalue())

# options
print(getopt.getopt(["-a", "-bval", "--long=x", "--flag", "rest"], "ab:", ["long=", "flag"]), getopt.gnu_getopt(["x", "-a"], "a"))
try:
    getopt.getopt(["-z"], "a")
except getopt.GetoptError as e:
    print(e, e.opt)
parser = optparse.OptionParser(usage="%prog [options] name", prog="tool", version="%prog 1.0", description="A tool.")
parser.add_option("-n", "--number", type="int", default=3, help="how many [default: %default]", metavar="N")
parser.add_option("-v", action="count", dest="verbose")
group = optparse.OptionGroup(parser, "More")
group.add_option("--choice", choices=["a", "b"])
parser.add_option_group(group)
values, rest = parser.parse_args(["-n", "5", "-vv", "--choice", "a", "x"])
print(vars(values), rest)
print(parser.format_help())
try:
    parser.parse_args(["--choice", "z"])
except SystemExit as e:
    print("exit", e.code)

# scheduling
clock = [0.0]
scheduler = sched.scheduler(lambda: clock[0], lambda d: clock.__setitem__(0, clock[0] + d))
scheduler.enter(5, 1, print, ("second",))
scheduler.enter(2, 1, print, ("first",), {"end": "!\n"})
event = scheduler.enter(9, 1, print, ("never",))
scheduler.cancel(event)
scheduler.run()
print(clock, scheduler.empty(), sched.Event.time.__doc__.split()[0])

# files
with tempfile.TemporaryDirectory() as folder:
    for name, text in (("a.txt", "one\ntwo\n"), ("b.txt", "one\ntwo\n"), ("c.py", "x = 1\n")):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    a, b, c = (os.path.join(folder, name) for name in ("a.txt", "b.txt", "c.py"))
    print(filecmp.cmp(a, b, shallow=False), filecmp.cmp(a, c), sorted(map(os.path.basename, glob.glob(folder + "/*.txt"))))
    print(glob.glob("*.py", root_dir=folder), glob.escape("a[1]"), list(glob.iglob(folder + "/**/c.*", recursive=True)) == [c])
    with fileinput.input([a, c]) as lines:
        print([(lines.filelineno(), line.rstrip()) for line in lines])
    mode = os.stat(a).st_mode
    print(stat.S_ISREG(mode), stat.S_ISDIR(mode), stat.filemode(0o100644), stat.filemode(0o40755))
    with shelve.open(os.path.join(folder, "shelf")) as shelf:
        shelf["k"] = [1, {"x": 2}]
    with shelve.open(os.path.join(folder, "shelf")) as shelf:
        print(dict(shelf))
    os.mkdir(os.path.join(folder, "pack"))
    for name in ("__init__", "one", "two"):
        open(os.path.join(folder, "pack", name + ".py"), "w").close()
    print(sorted((m.name, m.ispkg) for m in pkgutil.iter_modules([folder])), [m.name for m in pkgutil.iter_modules([os.path.join(folder, "pack")])])
    tabnanny.check(c)
print(pkgutil.resolve_name("os.path:join") is os.path.join, sysconfig.get_python_version(), "purelib" in sysconfig.get_paths())

# digests and sockets
print(hmac.new(b"key", b"text", "sha256").hexdigest(), hmac.compare_digest("a", "a"), hmac.digest(b"k", b"m", "sha1").hex())
left, right = socket.socketpair()
with left, right, selectors.DefaultSelector() as selector:
    selector.register(right, selectors.EVENT_READ, "data")
    print(selector.select(0))
    left.sendall(b"ping")
    print([(key.data, events) for key, events in selector.select(1)], right.recv(10))
    right.settimeout(0.01)
    try:
        right.recv(1)
    except TimeoutError as e:
        print(e)
with socket.create_server(("127.0.0.1", 0)) as server:
    client = socket.create_connection(server.getsockname())
    peer, address = server.accept()
    client.sendall(b"hello")
    print(peer.recv(5), address[0], client.family.name, client.type.name, socket.inet_aton("1.2.3.4"))
    peer.close()
    print(client.recv(1))
    client.close()
try:
    socket.create_connection(("127.0.0.1", 1), timeout=1)
except ConnectionRefusedError as e:
    print(e.errno)
print(socket.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_STREAM)[0][4], socket.gethostbyname("localhost"), socket.htons(1))
