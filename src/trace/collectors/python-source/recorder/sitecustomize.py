"""The program is recorded from before its first line, and so are its children."""
import os

import sonde_site


def _start(folder):
    import sonde_trace

    sonde_trace.begin(folder)


def _follow_children(folder):
    """Those that are given an environment of their own, a copy of what the program sees: `subprocess` starts them all by this."""
    try:
        import _posixsubprocess
    except ImportError:
        return
    original = _posixsubprocess.fork_exec
    mine, ours = b"PYTHONPATH=", folder.encode()

    def fork_exec(*words):
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
