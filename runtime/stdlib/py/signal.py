"""Signals: handlers can be set, but nothing calls them."""

SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM = \
    1, 2, 3, 6, 9, 10, 11, 12, 13, 14, 15
SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGWINCH, SIGIO = 17, 18, 19, 20, 28, 29
SIG_DFL, SIG_IGN = 0, 1
_handlers = {}


def signal(signalnum, handler):
    previous = _handlers.get(signalnum, SIG_DFL)
    _handlers[signalnum] = handler
    return previous


def getsignal(signalnum):
    return _handlers.get(signalnum, SIG_DFL)


def valid_signals():
    return set(range(1, 32)) | set(range(34, 65))


def default_int_handler(signum, frame):
    raise KeyboardInterrupt


def alarm(time):
    raise NotImplementedError("signal.alarm is not supported")
