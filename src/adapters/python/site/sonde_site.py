"""
What the sitecustomize of a recorder and of a sampler share. Python imports that as it starts, because its folder stands first on PYTHONPATH;
the program is then run by Python itself, as it was asked to be: its arguments, its modules, its exit and its tracebacks are its own.
"""
import os
import sys


def begin(folder, start):
    try:
        start(folder)
    except Exception as error:  # the program must run, whatever is wrong with us
        with open(os.path.join(folder, "failed"), "a") as file:
            file.write("%s: %s\n" % (type(error).__name__, error))
    _forget(folder)


def _forget(folder):
    """What the program can see of us. Children that are given no environment of their own still inherit ours."""
    path = getattr(os.environ, "_data", {}).get(b"PYTHONPATH")
    if path is not None:
        rest = os.pathsep.encode().join(path.split(os.pathsep.encode())[1:])
        if rest:
            os.environ._data[b"PYTHONPATH"] = rest
        else:
            del os.environ._data[b"PYTHONPATH"]
    sys.path[:] = [one for one in sys.path if one != folder]
    sys.path_importer_cache.pop(folder, None)
    for one in [one for one in sys.modules if one.startswith("sonde_")]:
        del sys.modules[one]


def the_users_own():
    """A site's own customisation, which this one stands in front of."""
    import _frozen_importlib
    import _frozen_importlib_external

    spec = _frozen_importlib_external.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = _frozen_importlib.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)
