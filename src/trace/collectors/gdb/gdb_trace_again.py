"""Whether a breakpoint is met a second time on one visit.

A signal that comes while gdb steps over its breakpoint is delivered first: gdb sets a breakpoint of its own there, lets the program
run through the handler, and meets both. Its own is still set at that moment, with the thread and the frame that it is for.
"""

import re

import gdb

# Those without a number are gdb's own, for a moment; to ask for them alone is quick however many others there are.
OWN = "maint info breakpoints 0"


def is_met_again(frame):
    told = gdb.execute(OWN, to_string=True)
    if "step resume" not in told:
        return False
    thread = gdb.selected_thread().global_num
    return any(is_for(one, frame, thread) for one in re.split(r"^(?=0\s)", told, flags=re.M) if "step resume" in one)


def is_for(told, frame, thread):
    if frame.pc() not in (int(one, 16) for one in re.findall(r"\b0x[0-9a-f]+", told)):
        return False
    threads = re.findall(r"only in thread (\d+)", told)
    places = [int(one, 16) for one in re.findall(r"stack frame at (0x[0-9a-f]+)", told)]
    return (not threads or str(thread) in threads) and (not places or address_of(frame) in places)


def address_of(frame):
    frame.select()
    found = re.search(r"frame at (0x[0-9a-f]+)", gdb.execute("info frame", to_string=True))
    return int(found.group(1), 16) if found else None
