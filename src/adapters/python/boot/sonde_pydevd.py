"""What sonde runs in place of a Python program: connects its debugger to sonde, then runs the program.

Also what a Python child of it is started with: debugpy knows by the end of this file's name that such a command line is
no longer to be changed. Nothing is defined here, since the program's own `__main__` takes this module's place.
"""

import sys

_folder = __file__.rpartition("/")[0]
if sys.path[:1] == [_folder]:
    del sys.path[0]  # the program must not find modules there; with -I and -P Python has not put it there
_writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
sys.path.insert(0, _folder)
import sonde_boot  # noqa: E402

del sys.path[0]
sys.dont_write_bytecode = _writes

if __name__ == "__main__":
    sonde_boot.main(sys.argv)
