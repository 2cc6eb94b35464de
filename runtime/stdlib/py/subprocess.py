"""Other programs. A child runs to its end when it is started."""

from _refused import refused
import os

import posix

__all__ = ["Popen", "PIPE", "STDOUT", "DEVNULL", "call", "check_call", "check_output", "run", "getoutput",
           "getstatusoutput", "CalledProcessError", "TimeoutExpired", "CompletedProcess", "SubprocessError",
           "list2cmdline"]

PIPE, STDOUT, DEVNULL = -1, -2, -3


class SubprocessError(Exception):
    pass


class CalledProcessError(SubprocessError):
    def __init__(self, returncode, cmd, output=None, stderr=None):
        self.returncode, self.cmd, self.output, self.stderr = returncode, cmd, output, stderr

    def __str__(self):
        if self.returncode and self.returncode < 0:
            return f"Command '{self.cmd}' died with signal {-self.returncode}."
        return f"Command '{self.cmd}' returned non-zero exit status {self.returncode}."

    @property
    def stdout(self):
        return self.output


class TimeoutExpired(SubprocessError):
    def __init__(self, cmd, timeout, output=None, stderr=None):
        self.cmd, self.timeout, self.output, self.stderr = cmd, timeout, output, stderr

    def __str__(self):
        return f"Command '{self.cmd}' timed out after {self.timeout} seconds"


class CompletedProcess:
    def __init__(self, args, returncode, stdout=None, stderr=None):
        self.args, self.returncode, self.stdout, self.stderr = args, returncode, stdout, stderr

    def __repr__(self):
        shown = [f"args={self.args!r}", f"returncode={self.returncode!r}"]
        if self.stdout is not None:
            shown.append(f"stdout={self.stdout!r}")
        if self.stderr is not None:
            shown.append(f"stderr={self.stderr!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def check_returncode(self):
        if self.returncode:
            raise CalledProcessError(self.returncode, self.args, self.stdout, self.stderr)


def list2cmdline(seq):
    return " ".join(map(str, seq))


class Popen:
    def __init__(self, args, bufsize=-1, executable=None, stdin=None, stdout=None, stderr=None,
                 preexec_fn=None, close_fds=True, shell=False, cwd=None, env=None,
                 universal_newlines=None, startupinfo=None, creationflags=0, restore_signals=True,
                 start_new_session=False, pass_fds=(), *, text=None, encoding=None, errors=None, **kwargs):
        if preexec_fn is not None:
            raise refused("subprocess.Popen", "preexec_fn")
        if start_new_session:
            raise refused("subprocess.Popen", "start_new_session")
        if pass_fds:
            raise refused("subprocess.Popen", "pass_fds")
        if kwargs:
            raise refused("subprocess.Popen", "kwargs")
        self.args = args
        self._text = bool(text or universal_newlines or encoding or errors)
        self._encoding = encoding or "utf-8"
        self._errors = errors or "strict"
        words = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
        if shell:
            words = ["/bin/sh", "-c"] + words
        if executable is not None:
            words[0] = executable
        self._words = [os.fspath(word) for word in words]
        self._cwd = cwd
        self._env = dict(os.environ if env is None else env)
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        self.pid = 0
        self.returncode = None
        self.stdin = self.stdout = self.stderr = None
        self._captured = None, None
        if stdin != PIPE:
            self._run(None)

    def _run(self, data):
        if isinstance(data, str):
            data = data.encode(self._encoding)
        modes = []
        for stream in (self._stdout, self._stderr):
            if stream == PIPE or hasattr(stream, "write"):
                modes.append(1)
            elif stream == DEVNULL:
                modes.append(2)
            elif stream == STDOUT:
                modes.append(3)
            else:
                modes.append(0)
        code, out, err = posix.run(self._words, self._env, self._cwd, data, *modes)
        self.returncode = code
        captured = []
        for stream, content in ((self._stdout, out), (self._stderr, err)):
            if stream == PIPE:
                captured.append(content.decode(self._encoding, self._errors) if self._text else content)
                continue
            if hasattr(stream, "write"):
                try:
                    stream.write(content.decode(self._encoding, self._errors))
                except TypeError:
                    stream.write(content)
            captured.append(None)
        self._captured = tuple(captured)
        from io import BytesIO, StringIO
        make = StringIO if self._text else BytesIO
        self.stdout, self.stderr = (None if c is None else make(c) for c in captured)

    def communicate(self, input=None, timeout=None):
        if self.returncode is None:
            self._run(input if input is not None else b"")
        return self._captured

    def wait(self, timeout=None):
        if self.returncode is None:
            self._run(b"")
        return self.returncode

    def poll(self):
        return self.wait()

    def kill(self):
        pass

    terminate = kill

    def send_signal(self, sig):
        raise NotImplementedError("subprocess.Popen.send_signal is not implemented in janus-jit yet")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.wait()


def run(*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs):
    if input is not None:
        if kwargs.get("stdin") is not None:
            raise ValueError("stdin and input arguments may not both be used.")
        kwargs["stdin"] = PIPE
    if capture_output:
        if kwargs.get("stdout") is not None or kwargs.get("stderr") is not None:
            raise ValueError("stdout and stderr arguments may not be used with capture_output.")
        kwargs["stdout"] = kwargs["stderr"] = PIPE
    process = Popen(*popenargs, **kwargs)
    out, err = process.communicate(input)
    if check and process.returncode:
        raise CalledProcessError(process.returncode, process.args, output=out, stderr=err)
    return CompletedProcess(process.args, process.returncode, out, err)


def call(*popenargs, timeout=None, **kwargs):
    return Popen(*popenargs, **kwargs).wait()


def check_call(*popenargs, **kwargs):
    code = call(*popenargs, **kwargs)
    if code:
        raise CalledProcessError(code, kwargs.get("args", popenargs[0] if popenargs else None))
    return 0


def check_output(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, stdout=PIPE, check=True, **kwargs).stdout


def getstatusoutput(cmd, *, encoding=None, errors=None):
    if encoding is not None:
        raise refused("subprocess.getstatusoutput", "encoding")
    if errors is not None:
        raise refused("subprocess.getstatusoutput", "errors")
    done = run(cmd, shell=True, stdout=PIPE, stderr=STDOUT, text=True)
    return done.returncode, done.stdout[:-1] if done.stdout.endswith("\n") else done.stdout


def getoutput(cmd, **kwargs):
    if kwargs:
        raise refused("subprocess.getoutput", "kwargs")
    return getstatusoutput(cmd)[1]
