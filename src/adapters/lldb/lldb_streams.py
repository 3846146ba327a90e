"""Room in the program's output: with more of it the program waits less often for whoever reads."""

import fcntl
import os

# Linux has it, and Python names it only since 3.10.
SET_SIZE = 1031
# What a user may have without being asked.
MOST = 1 << 20


def widen(*paths):
    for path in paths:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.fcntl(file, SET_SIZE, MOST)
        except OSError:
            pass  # the user has many pipes already: it stays as it is
        finally:
            os.close(file)
