"""What keeps a debugged program answering, whatever its own code does when it is asked for a value.

Each part changes one function of pydevd, and leaves it alone where a version has none of that name.
"""

import contextlib
import ctypes
import signal
import sys
import threading
import time

import sonde_fields
import sonde_frames
import sonde_pages
import sonde_scopes
import sonde_threads

# How long one value may take to be shown, and all values of one request; how long an evaluation may take.
VALUE_S, VALUES_S, EVALUATION_S = 1.0, 2.5, 10.0
# Code that swallows the interruption is interrupted again.
AGAIN_S = 0.1
# Of the many signals hardly any program uses, one that nobody notices where it is not handled.
SIGNAL = getattr(signal, "SIGURG", None)

# How long the thread that watches the deadlines is kept when there are none.
IDLE_S = 5.0

# The program may replace these while it runs.
_lock, _ident, _now = threading.Lock(), threading.get_ident, time.monotonic


def adapt():
    others = (sonde_fields.adapt, sonde_frames.adapt, sonde_pages.adapt, sonde_scopes.adapt, sonde_threads.adapt, sonde_threads.answer_at_once)
    for part in (let_go, stacks_at_once, deadlines, one_output, *others):
        try:
            part()
        except (ImportError, AttributeError):
            pass


# ---- Where sonde has gone, nothing waits for it


def let_go():
    from pydevd import PyDB

    dispose = PyDB.dispose_and_kill_all_pydevd_threads

    def disposed(self, *args, **named):
        self.ready_to_run = True
        self._on_configuration_done_event.set()
        return dispose(self, *args, **named)

    PyDB.dispose_and_kill_all_pydevd_threads = disposed


# ---- Stacks of threads that are not stopped, because they wait


SUSPEND_S = 0.5


def stacks_at_once():
    """pydevd waits half a second for each thread to stop: all have that time from the moment the first has stopped."""
    from _pydevd_bundle.pydevd_comm import InternalGetThreadStack
    from pydevd import PyDB

    stopped = [0.0]
    suspend, made = PyDB.do_wait_suspend, InternalGetThreadStack.__init__

    def do_wait_suspend(self, *args, **named):
        stopped[0] = _now()
        return suspend(self, *args, **named)

    def __init__(self, *args, **named):
        named["timeout"] = max(0.0, stopped[0] + SUSPEND_S - _now())
        made(self, *args, **named)

    PyDB.do_wait_suspend = do_wait_suspend
    InternalGetThreadStack.__init__ = __init__


# ---- Values and evaluations that do not end


class TooSlow(BaseException):
    """Raised inside the code that takes too long."""


class Guard:
    """One piece of the program's code that runs for a value, on the thread that is stopped."""

    current = {}  # by thread
    watching = None

    def __init__(self, seconds):
        self.seconds = seconds
        self.until = None
        self.fired = False
        self.armed = False

    def __enter__(self):
        self.thread = _ident()
        self.until = _now() + self.seconds
        self.outer = Guard.current.get(self.thread)
        self.handler = None
        if self.outer is None and SIGNAL is not None and threading.current_thread() is threading.main_thread():
            try:
                self.handler = (signal.signal(SIGNAL, interrupted),)
            except ValueError:
                pass  # not the interpreter's own main thread
        elif self.outer is not None:
            self.handler = self.outer.handler and ()
        self.armed = True
        with _lock:
            Guard.current[self.thread] = self
        watch()
        return self

    def __exit__(self, kind, error, trace):
        while True:
            try:
                self.armed = False
                with _lock:
                    if self.outer is None:
                        Guard.current.pop(self.thread, None)
                    else:
                        Guard.current[self.thread] = self.outer
                if self.fired and self.handler is None:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), None)
                break
            except TooSlow:
                continue
        if self.handler:
            signal.signal(SIGNAL, self.handler[0] if self.handler[0] is not None else signal.SIG_DFL)
        return False

    def interrupt(self):
        self.fired = True
        self.until = _now() + AGAIN_S
        if self.handler is not None:
            signal.pthread_kill(self.thread, SIGNAL)
        else:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(TooSlow))


def interrupted(number, frame):
    guard = Guard.current.get(_ident())
    if guard is not None and guard.armed and guard.fired:
        raise TooSlow()


def watch():
    """A thread of ours waits for the next deadline."""
    with _lock:
        known = Guard.watching
        if known is not None and known[0].is_alive():
            known[1].set()
            return
        wake = threading.Event()
        made = threading.Thread(target=watcher, args=(wake,), name="sonde.Watch", daemon=True)
        made.is_pydev_daemon_thread = True
        made.pydev_do_not_trace = True
        Guard.watching = made, wake
        made.start()


def watcher(wake):
    while True:
        with _lock:
            wake.clear()
            now = _now()
            for one in list(Guard.current.values()):
                if one.armed and now >= one.until:
                    one.interrupt()
            left = [one.until - now for one in Guard.current.values() if one.armed]
        if not wake.wait(min(left) if left else IDLE_S) and not left:
            with _lock:
                if not wake.is_set():
                    Guard.watching = None
                    return


def deadlines():
    from _pydevd_bundle import pydevd_comm
    from _pydevd_bundle.pydevd_suspended_frames import _AbstractVariable

    data, do_it = _AbstractVariable.get_var_data, pydevd_comm.InternalThreadCommand.do_it
    spent = {}  # by thread: the time that is left for the values of this request

    def get_var_data(self, *args, **named):
        thread = _ident()
        left = spent.get(thread, VALUES_S)
        began, guard, found = _now(), Guard(max(0.05, min(VALUE_S, left))), None
        try:
            with guard:
                found = data(self, *args, **named)
        except TooSlow:
            pass
        if thread in spent:
            spent[thread] = left - (_now() - began)
        if not guard.fired:
            return found
        known = type(self.value)
        return {
            "name": str(self.name),
            "value": "<%s: takes longer than %g s to show>" % (known.__name__, VALUE_S),
            "type": known.__name__,
            "variablesReference": self.get_variable_reference(),
            **({"evaluateName": self.evaluate_name} if self.evaluate_name else {}),
        }

    def done(self, dbg):
        request = next((one for one in self.args or () if hasattr(one, "seq") and hasattr(one, "command")), None)
        if request is None or getattr(self.method, "__name__", "") not in GUARDED:
            return do_it(self, dbg)
        thread = _ident()
        spent[thread] = VALUES_S
        try:
            with Guard(EVALUATION_S), sonde_pages.asked_by(request):
                do_it(self, dbg)
        except TooSlow:
            refuse(dbg, request, "interrupted: it took longer than %g s" % EVALUATION_S)
        finally:
            spent.pop(thread, None)

    _AbstractVariable.get_var_data = get_var_data
    pydevd_comm.InternalThreadCommand.do_it = done


GUARDED = {
    "internal_get_variable_json",
    "internal_evaluate_expression_json",
    "internal_set_expression_json",
    "internal_change_variable_json",
    "internal_get_exception_details_json",
}


def refuse(py_db, request, message):
    from _pydevd_bundle._debug_adapter.pydevd_schema import Response
    from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
    from _pydevd_bundle.pydevd_net_command import NetCommand

    response = Response(request.seq, success=False, command=request.command, message=message, body={})
    py_db.writer.add_command(NetCommand(CMD_RETURN, 0, response, is_json=True))


# ---- An end that pydevd did not see


def tell_end(error, trace):
    """At the recursion limit there is no room for the debugger either, and Python then stops calling it."""
    import pydevd

    py_db = pydevd.get_global_debugger()
    if py_db is None or not isinstance(error, RecursionError) or sys.gettrace() is not None:
        return
    thread = threading.current_thread()
    info = pydevd.set_additional_thread_info(thread)
    pydevd.stop_on_unhandled_exception(py_db, thread, info, (type(error), error, trace))


# ---- What an evaluation prints, told once


def one_output():
    """pydevd tells of it and prints it too: the program's own streams, which sonde reads, are left out."""
    from _pydevd_bundle import pydevd_io

    @contextlib.contextmanager
    def told():
        kept = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (
            pydevd_io.RedirectToPyDBIoMessages(number, stream, wrap_buffer=True)
            for number, stream in ((1, kept[0]), (2, kept[1]))
        )
        try:
            yield
        finally:
            sys.stdout, sys.stderr = kept

    pydevd_io.redirect_stream_to_pydb_io_messages_context = told
