"""
The side of a trace that lives in the program: records go into a file that is mapped into memory, from where they outlive whatever
ends the program, and by the batch over a socket to whoever reads them.
"""
import _socket
import _thread
import mmap
import os
import struct
import sys
import time

from _json import encode_basestring_ascii as quote

_BATCH = 512
# Records that come one by one are sent one by one: whoever waits sees what happens. So many in each span of time.
_AT_ONCE = 16
_SECONDS = 0.1
_BYTES = 1 << 18
_HEAD = struct.Struct("<QQ")
_SENT = struct.Struct("<II")


class Channel:
    def __init__(self, folder, address):
        self.folder = folder
        self.address = address
        self.greetings = []
        self.open()

    def open(self):
        """Also in a child after a fork: what its parent has not sent is its parent's."""
        self.lock = _thread.allocate_lock()
        self.batch, self.records, self.at = 1, 0, _HEAD.size
        self.since, self.spare = 0.0, 0
        try:
            self.socket = self._connected()
        except OSError:
            self.socket = None  # nobody reads any more
            return
        self.say('["p",%d,"%s"]\n' % (os.getpid(), self.name))
        self.flush()
        for greet in self.greetings:
            greet()

    def _connected(self):
        socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        socket.connect(self.address)
        file = self._new_file()
        try:
            os.ftruncate(file, _BYTES)
            self.memory = mmap.mmap(file, _BYTES)
        finally:
            os.close(file)
        _HEAD.pack_into(self.memory, 0, 1, 0)
        return socket

    def _new_file(self):
        """Not that of a program which this one has taken the place of, under the same number."""
        for turn in range(1000):
            self.name = "tail-%d-%d" % (os.getpid(), turn)
            try:
                return os.open(os.path.join(self.folder, self.name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
        raise OSError("no name for the file of process %d" % os.getpid())

    def reopen(self):
        if self.socket is not None:
            self.socket.close()
            self.open()

    def say(self, text):
        self.send(text.encode("ascii"))

    def send(self, data):
        with self.lock:
            if self.socket is None:
                return
            end = self.at + len(data)
            if end > _BYTES or self.records >= _BATCH:
                self._flush()
                end = self.at + len(data)
                if end > _BYTES:
                    self._transmit(data)
                    _HEAD.pack_into(self.memory, 0, self.batch, 0)
                    return
            self.memory[self.at : end] = data
            self.at = end
            self.records += 1
            # Last: a program that is killed here has left whole records only.
            _HEAD.pack_into(self.memory, 0, self.batch, end - _HEAD.size)
            now = time.monotonic()
            if now - self.since > _SECONDS:
                self.since, self.spare = now, _AT_ONCE
            if self.spare:
                self.spare -= 1
                self._flush()

    def flush(self):
        with self.lock:
            self._flush()

    def _flush(self):
        if self.at == _HEAD.size or self.socket is None:
            return
        self._transmit(self.memory[_HEAD.size : self.at])
        self.at, self.records = _HEAD.size, 0
        _HEAD.pack_into(self.memory, 0, self.batch, 0)

    def _transmit(self, data):
        try:
            self.socket.sendall(_SENT.pack(self.batch, len(data)) + data)
        except OSError:
            self.socket = None
        self.batch += 1


class Threads:
    """Names as they are at the moment; without `threading` there is only one."""

    def __init__(self):
        self.quoted = {}
        self.active = None

    def name(self):
        if self.active is None and not self._loaded():
            return '"MainThread"'
        ident = _thread.get_ident()
        thread = self.active.get(ident)
        name = thread.name if thread is not None else "thread %d" % ident
        return self.quoted.get(name) or self.quoted.setdefault(name, quote(name))

    def _loaded(self):
        self.active = getattr(sys.modules.get("threading"), "_active", None)
        return self.active is not None


class Files:
    """Which file a code object is of, and whether that is a library's."""

    def __init__(self, libraries):
        self.cwd = os.getcwd()
        here = os.path.dirname(os.path.abspath(__file__))
        boot = sys.modules.get("sonde_boot")  # of a program under debugpy
        ours = [here] if boot is None else [here, boot.FOLDER]
        self.ours = tuple(one + os.sep for one in ours)
        self.libraries = tuple(one + os.sep for one in [*ours, *libraries])
        self.paths = {}

    def path(self, name):
        """Absolute; none for code that was never in a file."""
        found = self.paths.get(name, False)
        if found is False:
            if name.startswith("<") and name.endswith(">"):
                found = None
            else:
                found = os.path.normpath(os.path.join(self.cwd, name))
            self.paths[name] = found
        return found

    def is_users(self, path):
        return path is not None and not path.startswith(self.libraries) and not _in_packages(path)


    def is_others(self, path):
        """Neither ours nor Python's."""
        return not path.startswith(self.ours) and (not path.startswith(self.libraries) or _in_packages(path))

    def package(self, path):
        """The name of the outermost package or module that a library's file is of."""
        for one in (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep):
            at = path.rfind(one)
            if at >= 0:
                return _first_part(path[at + len(one) :])
        for one in self.libraries:
            if path.startswith(one):
                return _first_part(path[len(one) :])
        return None


def _first_part(path):
    return path.split(os.sep, 1)[0].split(".", 1)[0]


def _in_packages(path):
    return (os.sep + "site-packages" + os.sep) in path or (os.sep + "dist-packages" + os.sep) in path


class Clock:
    def __init__(self, began):
        self.began = began

    def now(self):
        """Microseconds since the program was started."""
        return (time.time() - self.began) * 1000000


def libraries():
    return {os.path.dirname(os.__file__), os.path.realpath(os.path.dirname(os.__file__))}


def is_toward(plan):
    """What leads to a place is recorded for a hint, which is not worth much time."""
    return bool((plan.get("lines") or {}).get("toward"))


def prepare(folder):
    """The plan, and what every way of recording needs."""
    # Written by ours as a Python literal: `json` would be one more module that the program did not load.
    with open(os.path.join(folder, "plan.py"), encoding="utf-8") as file:
        plan = eval(file.read(), {"true": True, "false": False, "null": None})
    from sonde_values import Values

    return plan, {
        "channel": Channel(plan["folder"], plan["address"]),
        "values": Values(plan["items"], plan["inner"], plan["valueChars"], is_toward(plan)),
        "threads": Threads(),
        "files": Files(libraries()),
        "clock": Clock(plan["began"] / 1000),
    }


def begin(folder):
    plan, parts = prepare(folder)
    channel = parts["channel"]
    os.register_at_fork(after_in_child=channel.reopen)
    _tell_of_the_end(channel)
    if plan["calls"] is not None:
        import sonde_calls

        sonde_calls.begin(plan, **parts)
    elif plan["lines"] is None:
        import sonde_points

        sonde_points.begin(plan, **parts)
    else:
        import sonde_lines

        sonde_lines.begin(plan, **parts)
    return lambda note: channel.say('["n",%s]\n' % quote(note))


def _tell_of_the_end(channel):
    import atexit

    def end():
        value = getattr(sys, "last_value", None)
        if value is not None and _left_the_program(sys.last_traceback):
            lines = str(value).splitlines()
            text = type(value).__name__ + (": " + lines[0] if lines else "")
            channel.say('["w",%s]\n' % quote(text))
        channel.flush()

    atexit.register(end)


def _left_the_program(trace):
    """Test runners too note there what they have caught."""
    return trace is not None and trace.tb_frame.f_globals.get("__name__") in ("__main__", "runpy")
