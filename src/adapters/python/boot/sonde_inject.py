"""Runs code in another Python process by a debugger that calls a function there.

Whoever ends the debugger half-way takes the process with it. So it gets a session of its own, where nobody who ends us finds
it, writes to a file, since a pipe may close, and has no deadline: it leaves when the call has returned.
"""

import os
import re
import select
import subprocess
import sys
import tempfile

import add_code_to_python_process as of_pydevd

# They reach the process as they would without a debugger. A stop would break the call off.
SIGNALS = (
    "SIGHUP SIGINT SIGQUIT SIGPIPE SIGALRM SIGTERM SIGCHLD SIGCONT SIGTSTP SIGTTIN SIGTTOU SIGURG SIGXCPU SIGXFSZ "
    "SIGVTALRM SIGPROF SIGWINCH SIGIO SIGPWR SIGSYS SIGUSR1 SIGUSR2"
)
SETTINGS = (
    "target.preload-symbols false",
    "symbols.enable-external-lookup false",
    "target.load-script-from-symbol-file false",
)
# Of a debugger whose process has died.
LAST_WORDS_S = 0.5
OF_DEBUGGERS_OWN = ("LD_", "DYLD_", "PYTHON", "LLDB_")


def inject(pid, code, injector):
    if injector is not None and injector["kind"] == "lldb":
        return by_lldb(pid, code, injector)

    class Popen(subprocess.Popen):
        def __init__(self, *args, **named):
            named.update(start_new_session=True)
            super().__init__(*args, **named)

    subprocess.Popen = Popen
    try:
        of_pydevd.run_python_code(pid, code, connect_debugger_tracing=True, show_debug_info=0)
    except subprocess.CalledProcessError as error:
        sys.exit("the debugger that brings it in ended with code %d" % error.returncode)


def by_lldb(pid, code, injector):
    library = of_pydevd.get_target_filename()
    if not library:
        sys.exit("this debugpy has no library for a running process on this machine's architecture")
    env = {name: value for name, value in os.environ.items() if not name.startswith(OF_DEBUGGERS_OWN)}
    if injector.get("libraries"):
        env["LD_LIBRARY_PATH"] = injector["libraries"]
    for stepping in ATTEMPTS:
        said = run(words_for(injector["path"], pid, library, code, stepping), env, pid)
        if re.search(r"^\(int\) \$\d+ = 0$", said, re.MULTILINE):
            return
        if "couldn't allocate" not in said:
            break
    sys.exit("\n".join(line for line in said.split("\n") if not line.startswith("(lldb)")))


# LLDB gets no memory in a process to which a signal is on its way, and has called nothing then. One that gets signals all the
# time must take one first. That step may last until a signal comes, so it is not the first thing to try.
ATTEMPTS = (False, False, True, True)


def words_for(lldb, pid, library, code, stepping):
    words = [lldb, "--no-lldbinit", "--batch"]
    for setting in SETTINGS:
        words += ["-O", "settings set " + setting]
    words += ["-p", str(pid)]
    commands = [
        "process handle --stop false --pass true --notify false " + SIGNALS,
        "thread step-inst --run-mode all-threads",
        "expression -l c -- (void *)((void *(*)(const char *, int))dlopen)(%s, 2)" % c_string(library),
        "expression -l c -- ((int (*)(int, const char *, int))DoAttach)(0, %s, 0)" % c_string(code),
        "process detach",
    ]
    if not stepping:
        del commands[1]
    for command in commands:
        words += ["-o", command]
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
