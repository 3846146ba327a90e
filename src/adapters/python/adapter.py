"""Runs debugpy's adapter without the 40 ms that each of its answers costs.

The debugged process writes a message in two pieces, and the kernel holds the second back until the first is
acknowledged, which it does late. Acknowledging at once, on every read, ends that. What the adapter itself writes is
sent without delay for the same reason.

argv: the folder that holds the debugpy package, then the adapter's own arguments.
"""

import runpy
import socket
import subprocess
import sys

folder = sys.argv.pop(1)
QUICKACK = getattr(socket, "TCP_QUICKACK", None)  # Linux only


def hurry(sock, option):
    try:
        sock.setsockopt(socket.IPPROTO_TCP, option, 1)
    except (OSError, ValueError):
        pass  # closed, or no TCP socket


class QuickSocket(socket.socket):
    def recv_into(self, *args, **kwargs):
        if QUICKACK is not None:
            hurry(self, QUICKACK)
        return super().recv_into(*args, **kwargs)

    def accept(self):
        sock, address = super().accept()
        hurry(sock, socket.TCP_NODELAY)
        return sock, address

    def connect(self, address):
        super().connect(address)
        hurry(self, socket.TCP_NODELAY)


socket.socket = QuickSocket


class Popen(subprocess.Popen):
    """What injects debugpy into a process is gdb: killed half-way it takes that process with it.

    So it gets a session of its own, where nobody who ends the adapter finds it; it ends by itself in a second or two.
    """

    def __init__(self, args, *rest, **kwargs):
        if isinstance(args, list) and "--pid" in args:
            kwargs["start_new_session"] = True
        super().__init__(args, *rest, **kwargs)


subprocess.Popen = Popen

# The adapter was started apart from the caller's environment, in which the package may have been found.
try:
    import debugpy
except ImportError:
    sys.path.append(folder)
runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
