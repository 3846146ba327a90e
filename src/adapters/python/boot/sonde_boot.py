"""Connects debugpy's inner half (pydevd) to sonde by a Unix socket, in a program that is started, forked or already runs.

Nothing listens anywhere: the process calls. The socket lies in a folder that only its user can enter, so that there is no
secret, in a command line or elsewhere. Where the socket is gone, the process runs without a debugger.
"""

import json
import os
import sys

import sonde_guards

FOLDER = os.path.dirname(os.path.abspath(__file__))
ENTRY = os.path.join(FOLDER, "sonde_pydevd.py")
# pydevd wants a number beside the address.
PORT = 1


class Here:
    """What this process was told."""

    packages = None  # the folder that holds debugpy
    address = None
    socket = None  # connected, and not yet used


def main(argv):
    words = argv[1:]
    if words[0] == "--sonde-inject":
        return inject(json.loads(words[1]))
    if words[0] == "--sonde":
        setup, kind, target, args = json.loads(words[1]), words[2], words[3], words[4:]
    else:
        setup, kind, target, args = as_child(words)
    sys.argv[:] = [target] + args
    run = {"file": run_file, "module": run_module, "code": run_code}[kind]
    sys.excepthook = failed
    run(target, setup)


def failed(kind, error, trace):
    """As Python itself ends, but with the program's own frames alone in the traceback."""
    sys.excepthook = sys.__excepthook__
    trace = plain(trace)
    if "pydevd" in sys.modules:
        sonde_guards.tell_end(error, trace)
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


def plain(trace):
    """Without what runs the program, in front, and the debugger's own, behind."""
    links = []
    while trace is not None:
        if links and links[-1].tb_frame is trace.tb_frame:
            links.pop()  # a call that the debugger was told of counts twice
        links.append(trace)
        trace = trace.tb_next
    files = [one.tb_frame.f_code.co_filename for one in links]
    first = next((at for at, file in enumerate(files) if not is_ours(file)), 0)
    last = len(links)
    while last > first and is_debugger(files[last - 1]):
        last -= 1
    made = None
    for one in reversed(links[first:last]):
        made = type(one)(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made


def is_ours(file):
    return file.startswith(FOLDER) or os.path.basename(file) in ("runpy.py", "<frozen runpy>")


def is_debugger(file):
    return "pydevd" in file or file.startswith(FOLDER)


def as_child(words):
    """The words that pydevd gives a child, with our own in front (see `argv_of_child`)."""
    at = words.index("--file")
    own, target, args = words[:at], words[at + 1], words[at + 2 :]
    kind = "module" if own[0] == "--module" else "file"
    setup = json.loads(own[1] if kind == "module" else own[0])
    return setup, kind, target, args


# ---- Connecting


def is_private(address):
    """In a folder that nobody else can enter: once sonde has left, another user could make one of that name."""
    try:
        folder = os.lstat(os.path.dirname(address))
    except OSError:
        return False
    return folder.st_uid == os.geteuid() and folder.st_mode & 0o170077 == 0o040000


def call(address, name):
    """A connected socket, or None where nobody listens any more. The first line says who calls."""
    import socket

    if not is_private(address):
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.connect(address)
        made.sendall((json.dumps({"pid": os.getpid(), "name": str(name)}) + "\n").encode("utf-8"))
    except OSError:
        made.close()
        return None
    return made


def begin(setup, name, wait=True):
    """Whether the process is debugged from here on; with `wait`, sonde has set its breakpoints by then."""
    Here.packages, Here.address = setup["packages"], setup["address"]
    Here.socket = call(Here.address, name)
    if Here.socket is None:
        return False
    pydevd = load()
    adapt()
    import debugpy

    pydevd.settrace(
        host=Here.address,
        port=PORT,
        suspend=False,
        wait_for_ready_to_run=wait,
        patch_multiprocessing=setup.get("children", True),
        notify_stdin=False,
        dont_trace_start_patterns=(os.path.dirname(os.path.abspath(debugpy.__file__)), FOLDER),
        dont_trace_end_patterns=("debugpy_launcher.py",),
    )
    if wait:
        pydevd._wait_for_attach()
    return True


# Its warnings are about settings of its own: modules that Python has built in, values that take their time.
QUIET = {
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "PYDEVD_WARN_SLOW_RESOLVE_TIMEOUT": "1000000",
    "PYDEVD_WARN_EVALUATION_TIMEOUT": "1000000",
}


def load():
    """pydevd as debugpy sets it up, with settings that the program does not see."""
    changed = [name for name in QUIET if name not in os.environ]
    os.environ.update({name: QUIET[name] for name in changed})
    found = Here.packages in sys.path
    sys.path.insert(0, Here.packages)
    try:
        import debugpy._vendored.force_pydevd  # noqa: F401
        import pydevd
    finally:
        sys.path.remove(Here.packages)
        for name in changed:
            del os.environ[name]
    # The parts that it loads when they are needed, where they are packages of their own (Debian's).
    if not found and os.path.exists(os.path.join(Here.packages, "pydevd.py")):
        sys.path.append(Here.packages)
    return pydevd


def adapt():
    """Makes pydevd call by our socket, here and in the processes that the program starts."""
    import pydevd
    from _pydev_bundle import pydev_monkey
    from _pydevd_bundle import pydevd_command_line_handling as command_line

    known = getattr(pydevd, "sonde", None)
    if known is not None:
        # pydevd calls the copy of this module that changed it, which may be another by now: a recorder forgets our modules.
        known.packages, known.address, known.socket = Here.packages, Here.address, Here.socket
        return
    pydevd.sonde = Here
    pydevd.start_client = client
    of_pydevd, patch_args, on_fork = (
        command_line.setup_to_argv,
        pydev_monkey.patch_args,
        pydev_monkey._on_forked_process,
    )

    def argv_of_child(setup, skip_names=None):
        return [ENTRY, child_setup()] + of_pydevd(setup, skip_names)[1:]

    def args_of_child(args, *rest, **named):
        return patch_args(args, *rest, **named) if os.path.exists(Here.address) else args

    def forked(setup_tracing=True):
        if setup_tracing:
            Here.socket = call(Here.address, (sys.argv or [""])[0])
        on_fork(setup_tracing=setup_tracing and Here.socket is not None)

    command_line.setup_to_argv = argv_of_child
    pydev_monkey.patch_args = args_of_child
    pydev_monkey._get_python_c_args = code_of_child
    pydev_monkey._on_forked_process = forked
    sonde_guards.adapt()


def client(host, port):
    made, Here.socket = Here.socket, None
    made = made or call(host, (sys.argv or [""])[0])
    if made is None:
        raise OSError("sonde has gone")
    return made


def child_setup():
    return json.dumps({"packages": Here.packages, "address": Here.address})


def code_of_child(host, port, code, args, setup):
    """`python -c`, which multiprocessing uses too."""
    from _pydev_bundle.pydev_monkey import _separate_future_imports

    is_bytes = isinstance(code, bytes)
    text = code.decode("utf-8") if is_bytes else code
    first, rest = _separate_future_imports(text) if "__future__" in text else ("", text)
    text = "%simport sys; sys.path.insert(0, %r); import sonde_boot; del sys.path[0]; sonde_boot.begin(%s, '-c'); %s" % (
        first,
        FOLDER,
        repr(json.loads(child_setup())),
        rest,
    )
    return text.encode("utf-8") if is_bytes else text


# ---- Running the program, as Python itself would


def has_safe_path():
    return sys.flags.isolated or getattr(sys.flags, "safe_path", False)


def run_file(target, setup):
    import runpy

    begin(setup, target)
    if os.path.isfile(target) and not has_safe_path():
        sys.path.insert(0, os.path.dirname(os.path.abspath(target)))
    runpy.run_path(target, run_name="__main__")


def run_module(target, setup):
    import runpy

    begin(setup, target)
    if not has_safe_path():
        sys.path.insert(0, "")
    runpy._run_module_as_main(target, alter_argv=True)


def run_code(target, setup):
    sys.argv[0] = "-c"
    code = compile(target, "<string>", "exec")
    begin(setup, "-c")
    if not has_safe_path():
        sys.path.insert(0, "")
    eval(code, {"__name__": "__main__", "__builtins__": __builtins__})


# ---- A process that runs already


def inject(setup):
    """Runs in a process of ours: brings `attach` into another, by a debugger or by Python's own way."""
    words = list(bytearray(json.dumps(setup).encode("utf-8")))
    folder = list(bytearray(FOLDER.encode("utf-8")))
    code = (
        "import sys;sys.path.insert(0,bytes(%s).decode());import sonde_boot;del sys.path[0];"
        "sonde_boot.attach(bytes(%s).decode())" % (folder, words)
    )
    Here.packages = setup["packages"]
    pydevd = load()
    if by_python(setup["pid"], code, setup["address"]):
        return
    sys.path += [FOLDER, os.path.join(os.path.dirname(pydevd.__file__), "pydevd_attach_to_process")]
    sys.dont_write_bytecode = True
    import sonde_inject

    sonde_inject.inject(setup["pid"], code, setup.get("injector"), os.path.dirname(setup["address"]))


def by_python(pid, code, address):
    """Python 3.14 and later run a file in another process of the same version, if that is not forbidden."""
    if not hasattr(sys, "remote_exec"):
        return False
    path = os.path.join(os.path.dirname(address), "attach.py")
    # The folder is that user's, and closed to all others; what that user may have put there is not written to.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    os.fchmod(file, 0o644)
    with os.fdopen(file, "w") as text:
        text.write(code)
    try:
        sys.remote_exec(pid, path)
        return True
    except Exception:
        return False


def attach(text):
    """Runs in that process."""
    setup = json.loads(text)
    if "threading" not in sys.modules:
        fix_main_thread(setup["packages"])
    Here.packages = setup["packages"]
    pydevd = load()
    known = pydevd.get_global_debugger()
    if known is not None:
        known.dispose_and_kill_all_pydevd_threads(wait=False)
        # One that is being disposed of by its own thread is still the one that pydevd would use.
        pydevd.set_global_debugger(None)
    begin(setup, (getattr(sys, "argv", None) or [""])[0], wait=False)


def fix_main_thread(packages):
    """Without it the thread that is stopped now would count as the main one."""
    helpers = os.path.join(packages, "debugpy", "_vendored", "pydevd", "pydevd_attach_to_process")
    if not os.path.isdir(helpers):
        helpers = os.path.join(packages, "pydevd_attach_to_process")
    sys.path.insert(0, helpers)
    try:
        import attach_script

        attach_script.fix_main_thread_id(on_warn=id, on_exception=id, on_critical=id)
    finally:
        sys.path.remove(helpers)
