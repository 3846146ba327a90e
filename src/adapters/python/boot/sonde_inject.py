"""Runs code in another Python process by a debugger that calls functions there.

The process stands where it was interrupted, perhaps in the middle of an allocation. Python code that ran there at once would find
the memory half changed, and the process would die of it later. So the code is queued for the next place where Python itself lets
other code in. Only a process that waits in the kernel, and does not hold Python's lock, runs it at once: it may never get there.

Whoever ends the debugger half-way takes the process with it. So it gets a session of its own, where nobody who ends us finds
it, writes to a file, since a pipe may close, and has no deadline: it leaves when the call has returned.
"""

import json
import os
import re
import select
import stat
import subprocess
import sys
import tempfile
import time

# They reach the process as they would without a debugger. A stop would break the call off.
SIGNALS = (
    "SIGHUP SIGINT SIGQUIT SIGPIPE SIGALRM SIGTERM SIGCHLD SIGCONT SIGTSTP SIGTTIN SIGTTOU SIGURG SIGXCPU SIGXFSZ "
    "SIGVTALRM SIGPROF SIGWINCH SIGIO SIGPWR SIGSYS SIGUSR1 SIGUSR2"
)
LLDB_SETTINGS = (
    "target.preload-symbols false",
    "symbols.enable-external-lookup false",
    "target.load-script-from-symbol-file false",
)
# Of a debugger whose process has died.
LAST_WORDS_S = 0.5
OF_DEBUGGERS_OWN = ("LD_", "DYLD_", "PYTHON", "LLDB_")

# What a call in the process answers.
DONE, FULL, ELSEWHERE, NO_MEMORY = 0, -1, -2, -3
# How long a queued call may take before the process is looked at again: it may have begun to wait in the kernel.
QUEUED_S = 0.3
# A thread that waits for Python's lock wakes every 5 ms; one that does native work may do so all the time.
STILL_S = 0.02
RESTLESS_S = 2.0
# Less than whoever waits for us does, so that they hear why.
PATIENCE_S = 20.0
MOST_CALLS = 4

# In the process, under names of its own. A child that was forked meanwhile has the queue too, so it asks who it is. The pipe is
# both a sign that the code runs and a guard: who removes it is the first, and the only one.
SCRIPT = """
import os
door = None
try:
    if os.getpid() == {pid}:
        door = os.open({door!r}, os.O_WRONLY | os.O_NONBLOCK)
        os.unlink({door!r})
        os.write(door, b"in")
        exec({code!r}, {{"__name__": "sonde_attach"}})
except BaseException as error:
    if door is not None:
        os.write(door, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace")[:2000])
    if isinstance(error, KeyboardInterrupt):
        import _thread
        _thread.interrupt_main()
finally:
    if door is not None:
        os.close(door)
"""
# Whatever this raised would be raised in the program, and none of its names is changed.
OUTERMOST = 'try:\n __import__("builtins").exec(%r, {"__name__": "sonde_attach"})\nexcept: 0'


def inject(pid, code, injector, folder):
    """`folder`: that user's own, for a pipe by which the process says that it has begun."""
    if injector is None:
        return by_pydevd(pid, code)
    door = os.path.join(folder, "door")
    reader = opened_pipe(door)
    if not sees(pid, door):
        sys.exit("process %d sees other files (a container, a chroot or a /tmp of its own)" % pid)
    script = OUTERMOST % SCRIPT.format(pid=own_number(pid), door=door, code=code)
    debugger = {"ptrace": Ptrace, "lldb": Lldb, "gdb": Gdb}[injector["kind"]](pid, injector)
    queued, calls, began = False, 0, time.monotonic()
    while not is_heard(reader, pid, 0) and time.monotonic() - began < PATIENCE_S:
        place = waiting_place(pid, time.monotonic() - began > RESTLESS_S)
        if calls < MOST_CALLS and not is_halted(pid) and (place or not queued):
            calls += 1
            answer = debugger.call(script, place)
            if answer == NO_MEMORY:
                sys.exit("the process has no memory for it")
            if place is None:
                queued = answer == DONE
            elif answer != ELSEWHERE:
                break
            elif not queued:
                queued = debugger.call(script, None) == DONE
        is_heard(reader, pid, QUEUED_S)
    else:
        if not is_heard(reader, pid, 0):
            sys.exit("it did not get to a place where Python lets other code in within %d s" % PATIENCE_S)
    report(reader)


def by_pydevd(pid, code):
    """Where there is neither LLDB nor gdb for it: by what pydevd knows of the system."""
    import add_code_to_python_process as of_pydevd

    of_pydevd.run_python_code(pid, code, connect_debugger_tracing=True, show_debug_info=0)


def opened_pipe(door):
    """That user may write to it; and may have put something else in its place, which is not followed."""
    mask = os.umask(0)
    try:
        os.mkfifo(door, 0o666)
    finally:
        os.umask(mask)
    reader = os.open(door, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    if not stat.S_ISFIFO(os.fstat(reader).st_mode):
        sys.exit("somebody exchanged %s" % door)
    return reader


def sees(pid, path):
    try:
        seen, ours = os.stat("/proc/%d/root%s" % (pid, path)), os.stat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # nobody can tell
    return (seen.st_dev, seen.st_ino) == (ours.st_dev, ours.st_ino)


def is_heard(reader, pid, seconds):
    """Whether the code has begun; fails when the process has ended."""
    ready = select.select([reader], [], [], seconds)[0]
    if not ready and state(pid) in (None, "Z", "X"):
        sys.exit("process %d has ended" % pid)
    return bool(ready)


def report(reader):
    """Until the process has closed the pipe: what it says there went wrong."""
    os.set_blocking(reader, True)
    said = b""
    while True:
        part = os.read(reader, 65536)
        if not part:
            break
        said += part
    if said != b"in":
        sys.exit(said[2:].decode("utf-8", "replace") or "it did not run there")


def waiting_place(pid, is_restless):
    """Where its main thread waits in the kernel, if it goes on waiting there: its stack pointer and its next instruction."""
    before = kernel_wait(pid)
    if before is None:
        return None
    time.sleep(STILL_S)
    after = kernel_wait(pid)
    if after is None or after[0] != before[0] or (after[1] != before[1] and not is_restless):
        return None
    words = after[0].split()
    return (words[-2], words[-1]) if len(words) >= 3 else None


def kernel_wait(pid):
    task = "/proc/%d/task/%d/" % (pid, pid)
    call, turns = text_of(task + "syscall"), re.search(r"^voluntary_ctxt_switches:.*", text_of(task + "status"), re.MULTILINE)
    return None if call.startswith(("running", "-1")) or call == "" or turns is None else (call, turns.group())


def own_number(pid):
    """As the process itself knows it."""
    numbers = re.search(r"^NSpid:(.*)", text_of("/proc/%d/status" % pid), re.MULTILINE)
    return int(numbers.group(1).split()[-1]) if numbers else pid


def state(pid):
    text = text_of("/proc/%d/stat" % pid)
    return text[text.rindex(")") + 2] if ")" in text else None


def is_halted(pid):
    return state(pid) == "T"


def text_of(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


class Ptrace:
    """By no debugger; `path` is a Python that can do it (sonde_ptrace.py)."""

    def __init__(self, pid, injector):
        self.pid, self.path = pid, injector["path"]
        self.file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sonde_ptrace.py")

    def call(self, script, place):
        codes = {"done": DONE, "elsewhere": ELSEWHERE, "no_memory": NO_MEMORY}
        task = {"pid": self.pid, "script": script, "place": place, "codes": codes}
        said = run([self.path, "-I", self.file, json.dumps(task)], dict(os.environ), self.pid)
        answer = re.search(r"^sonde = (-?\d+)$", said, re.MULTILINE)
        if answer is None:
            sys.exit(said)
        return int(answer.group(1))


class Lldb:
    def __init__(self, pid, injector):
        self.pid, self.path = pid, injector["path"]
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(OF_DEBUGGERS_OWN)}
        if injector.get("libraries"):
            self.env["LD_LIBRARY_PATH"] = injector["libraries"]

    def call(self, script, place):
        for stepping in ATTEMPTS:
            said = run(self.words(script, place, stepping), self.env, self.pid)
            answer = re.search(r"^\(int\) \$\d+ = (-?\d+)$", said, re.MULTILINE)
            if answer:
                return int(answer.group(1))
            if "couldn't allocate" not in said:
                break
        sys.exit("\n".join(line for line in said.split("\n") if not line.startswith("(lldb)")))

    def words(self, script, place, stepping):
        words = [self.path, "--no-lldbinit", "--batch"]
        for setting in LLDB_SETTINGS:
            words += ["-O", "settings set " + setting]
        words += ["-p", str(self.pid)]
        commands = ["process handle --stop false --pass true --notify false " + SIGNALS]
        if stepping:
            commands.append("thread step-inst --run-mode all-threads")
        commands += ["expression -l c -- " + lldb_expression(script, place), "process detach"]
        for command in commands:
            words += ["-o", command]
        return words


# LLDB gets no memory in a process to which a signal is on its way, and has called nothing then. One that gets signals all the
# time must take one first. That step may last until a signal comes, so it is not the first thing to try.
ATTEMPTS = (False, False, True, True)

# The functions of the process that are called, as C has them.
MMAP = "((char *(*)(void *, unsigned long, int, int, int, long))mmap)(0, %d, 3, 34, -1, 0)"
HAS_LOCK = "((int (*)(void))PyGILState_Check)()"
LOCK = "((int (*)(void))PyGILState_Ensure)()"
RUN = "((int (*)(const char *))PyRun_SimpleString)(%s)"
UNLOCK = "((int (*)(int))PyGILState_Release)(%s)"
QUEUE = "((int (*)(void *, void *))Py_AddPendingCall)(%s, %s)"
FUNCTION = "(void *)(int (*)(const char *))PyRun_SimpleString"


def moved_from(place):
    """Whether the thread has gone on since it was seen to wait there. Some processors go back to a call that they repeat."""
    stack, instruction = place
    ahead = "((unsigned long)%s - (unsigned long)$pc)" % instruction
    return ["(unsigned long)$sp != (unsigned long)%s" % stack, "%s > 4" % ahead]


def lldb_expression(script, place):
    """The text is copied to memory of its own, which is still there when it is run."""
    literal, size = c_string(script), len(os.fsencode(script)) + 1
    if place is None:
        # LLDB takes no function for an argument.
        act = "void *function = %s; answer = %s;" % (FUNCTION, QUEUE % ("function", "code"))
    else:
        act = "int state = %s; %s; %s; answer = %d;" % (LOCK, RUN % "code", UNLOCK % "state", DONE)
    elsewhere = "0" if place is None else " || ".join(moved_from(place) + [HAS_LOCK])
    return (
        "int answer = %d; if (%s) answer = %d; else { char *code = %s; if (code != (char *)-1) { const char *text = %s; "
        "for (int at = 0; at < %d; at++) code[at] = text[at]; %s } } answer"
        % (NO_MEMORY, elsewhere, ELSEWHERE, MMAP % size, literal, size, act)
    )


class Gdb:
    def __init__(self, pid, injector):
        self.pid, self.path = pid, injector["path"]
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(OF_DEBUGGERS_OWN)}

    def call(self, script, place):
        said = run(self.words(script, place), self.env, self.pid)
        answer = re.search(r"^sonde: (-?\d+)$", said, re.MULTILINE)
        if answer is None:
            sys.exit(said)
        return int(answer.group(1))

    def words(self, script, place):
        size = len(os.fsencode(script)) + 1
        if place is None:
            act, unfit = QUEUE % (FUNCTION, "$code"), []
        else:
            act = "($state = %s, %s, %s, %d)" % (LOCK, RUN % "$code", UNLOCK % "$state", DONE)
            unfit = [(one, ELSEWHERE) for one in moved_from(place) + [HAS_LOCK]]
        # gdb goes on after a command that failed: without the text in its place nothing is called.
        copied = [("(long)$code == -1", NO_MEMORY), ("$code[0] == 0", NO_MEMORY), ("$code[%d] == 0" % (size - 2), NO_MEMORY)]
        for condition, answer in reversed(unfit + copied):
            act = "%s ? %d : %s" % (condition, answer, act)
        commands = [
            "set scheduler-locking off",
            "set unwindonsignal on",
            "set max-value-size unlimited",
            # A stop of any kind would break the call off, and leave the process in the middle of it.
            "handle all nostop noprint pass",
            "handle %s nostop noprint pass" % SIGNALS,
            "set $code = " + MMAP % size,
            # Written from outside: for a text in a call gdb would allocate memory in the process.
            "set {char [%d]} $code = %s" % (size, c_string(script)),
            'printf "sonde: %%d\\n", %s' % act,
        ]
        words = [self.path, "-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"]
        words += ["-p", str(self.pid)]
        for command in commands:
            words += ["-ex", command]
        return words


def run(words, env, pid):
    with tempfile.TemporaryFile() as file:
        streams = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": file}
        wait(subprocess.Popen(words, env=env, start_new_session=True, **streams), pid)
        file.seek(0)
        return file.read().decode("utf-8", "replace")


def wait(debugger, pid):
    """Some debuggers wait on for a process that has died; there is nothing to be done in it then."""
    if hasattr(os, "pidfd_open") and died_first(debugger, pid):
        try:
            debugger.wait(timeout=LAST_WORDS_S)
        except subprocess.TimeoutExpired:
            debugger.kill()
    debugger.wait()


def died_first(debugger, pid):
    try:
        ends = [os.pidfd_open(debugger.pid), os.pidfd_open(pid)]
    except ProcessLookupError:
        return True
    except OSError:  # a system that has no such thing
        return False
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLIN)
    ready = [end for end, _ in poll.poll()]
    for end in ends:
        os.close(end)
    return ends[0] not in ready


def c_string(text):
    """Only what means nothing to LLDB stands for itself."""
    return '"%s"' % "".join(
        chr(one) if chr(one).isalnum() and one < 128 or chr(one) in "/._-,;()[] " else "\\%03o" % one
        for one in bytearray(os.fsencode(text))
    )
