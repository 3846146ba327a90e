"""The program is recorded from before its first line, and so are its children."""
import os

import sonde_site


_say = None


def _start(folder):
    global _say
    import sonde_trace

    _say = sonde_trace.begin(folder)


def _leaving_us_out(args):
    """The option by which a Python that is started does not look where we are."""
    words = [os.fsdecode(one) for one in args or ()]
    if not words or not os.path.basename(words[0]).startswith("python"):
        return None
    rest = iter(words[1:])
    for one in rest:
        if not one.startswith("-") or one.startswith("--") or one[1:2] in ("", "c", "m"):
            return None
        if one in ("-X", "-W"):
            next(rest, None)
        elif one[1:2] not in "XW" and set(one[1:]) & set("IES"):
            return one
    return None


def _follow_children(folder):
    """Those that are given an environment of their own, a copy of what the program sees: `subprocess` starts them all by this."""
    try:
        import _posixsubprocess
    except ImportError:
        return
    original = _posixsubprocess.fork_exec
    mine, ours = b"PYTHONPATH=", folder.encode()

    def fork_exec(*words):
        option = _leaving_us_out(words[0])
        if option is not None and _say is not None:
            _say("a Python process that was started with %s is not recorded: it loads nothing of ours" % option)
        env = words[5] if len(words) > 5 else None
        if env is None:
            return original(*words)
        rest = [one[len(mine) :] for one in env if one.startswith(mine)]
        path = mine + os.pathsep.encode().join([ours, *rest])
        others = [one for one in env if not one.startswith(mine)]
        return original(*words[:5], others + [path], *words[6:])

    _posixsubprocess.fork_exec = fork_exec


sonde_site.begin(os.path.dirname(__file__), _start)
_follow_children(os.path.dirname(__file__))
sonde_site.the_users_own()
