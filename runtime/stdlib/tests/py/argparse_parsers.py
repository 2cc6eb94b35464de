import sys, io, contextlib
import argparse
def attempt(parser, argv):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            r = parser.parse_args(argv)
        except SystemExit as e:
            r = f"exit {e.code}"
    print(argv, '->', r)
    print(out.getvalue(), end=''); print(err.getvalue(), end='')
def known(p, argv): print(p.parse_known_args(argv))

p = argparse.ArgumentParser(prog='train.py', description='PyTorch MNIST Example')
p.add_argument('--batch-size', type=int, default=64, metavar='N', help='input batch size for training (default: 64)')
p.add_argument('--epochs', type=int, default=14, metavar='N', help='number of epochs to train (default: %(default)s)')
p.add_argument('--lr', type=float, default=1.0, metavar='LR')
p.add_argument('--no-cuda', action='store_true', default=False, help='disables CUDA training, and here is a very long help text which must be wrapped somewhere in the middle of it because it is long')
p.add_argument('--model', choices=['lstm', 'gru'], default='lstm')
p.add_argument('-v', '--verbose', action='count', default=0)
p.add_argument('--dims', nargs='+', type=int, default=[1])
p.add_argument('--opt', nargs='?', const='C', default='D')
p.add_argument('--tags', action='append')
p.add_argument('-x', action='store_const', const=5)
p.add_argument('--version', action='version', version='%(prog)s 1.0')
for argv in [[], ['--batch-size','3'], ['--batch-size','x'], ['--batch-size'], ['--lr=0.5','-vvv'], ['--no-cuda','--model','gru'],
             ['--model','foo'], ['--dims','1','2','3'], ['--dims'], ['--opt'], ['--opt','z'], ['--tags','a','--tags','b'], ['-h'], ['--version'],
             ['--bat','7'], ['--unknown'], ['extra'], ['--lr','-0.5'], ['-vx'], ['-x','--','foo'],['--no'],['--e=1','--m=gru'],['--dims','1','--lr','2','x']]:
    attempt(p, argv)
known(p, ['--foo','1','--lr','2','zz'])

p = argparse.ArgumentParser(prog='pos', formatter_class=argparse.ArgumentDefaultsHelpFormatter, epilog='the end')
p.add_argument('src', help='source')
p.add_argument('dst', nargs='?', default='out', help='dest')
p.add_argument('rest', nargs='*', type=int)
g = p.add_mutually_exclusive_group()
g.add_argument('--a', action='store_true', help='a help')
g.add_argument('--b', type=float, default=0.1, help='b help')
gg = p.add_argument_group('my group', 'group description')
gg.add_argument('--flag', action=argparse.BooleanOptionalAction, default=True, help='flag help')
gg.add_argument('-q', '--quiet-mode', required=True, help='quiet')
for argv in [['s','-q','1'], ['s','d','-q','1','2','3'], ['s','d','1','2','-q','1'], ['-q','1'], [], ['s','-q','1','--a','--b','2'], ['s','-q1','--no-flag'],['-h'],['s','-q','1','d','5'],['s','d','x','-q','1']]:
    attempt(p, argv)
p = argparse.ArgumentParser(prog='sub')
p.add_argument('--g', default=1, type=int)
sp = p.add_subparsers(dest='cmd', help='commands', required=True)
a = sp.add_parser('train', help='train it', aliases=['t'])
a.add_argument('--lr', type=float, default=.1)
a.add_argument('file')
b = sp.add_parser('test', help='test it')
b.set_defaults(func='F')
for argv in [['train','f'],['t','f','--lr','3'],['test'],['foo'],[],['-h'],['train','-h'],['--g','3','test'],['test','--zz']]:
    attempt(p, argv)
p = argparse.ArgumentParser(prog='m')
p.add_argument('x', type=int, nargs=2)
p.add_argument('y', nargs='+')
p.add_argument('--r', nargs=argparse.REMAINDER)
for argv in [['1','2','3'],['1','2'],['1','2','3','4','--r','a','-b'],['1','a','3'],['1','--r'],['-1','-2','x'],['-h']]:
    attempt(p, argv)
def t(s):
    raise argparse.ArgumentTypeError('bad '+s)
p = argparse.ArgumentParser(prog='m2', usage='%(prog)s [options]', argument_default=argparse.SUPPRESS)
p.add_argument('--t', type=t); p.add_argument('-D', '--def', dest='d'); p.add_argument('--hid', help=argparse.SUPPRESS)
p.add_argument('--pair', nargs=2, metavar=('A','B'))
p.set_defaults(z=3)
for argv in [['--t','q'],['-Dfoo'],['-D=foo'],['--def=1'],[],['-h'],['--pair','1'],['--pair','1','2']]:
    attempt(p, argv)
print(p.get_default('z'), p)
parent = argparse.ArgumentParser(add_help=False)
parent.add_argument('--shared', type=str, default='s')
c = argparse.ArgumentParser(prog='child', parents=[parent], description='d '*60)
c.add_argument('-l','--long-option-name-that-is-very-long', help='hi')
c.add_argument('--str2bool', type=lambda x: x=='1', default='1')
attempt(c, ['--shared','q']); attempt(c, ['-h'])
print(argparse.Namespace(a=1,b='x'), argparse.Namespace(a=1)==argparse.Namespace(a=1), 'a' in argparse.Namespace(a=1))
print(vars(c.parse_args([])))
