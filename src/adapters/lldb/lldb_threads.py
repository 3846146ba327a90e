"""One thread that runs while the others stand still."""

import lldb


def only(number):
    for thread in lldb.debugger.GetSelectedTarget().GetProcess():
        if thread.GetThreadID() != number:
            thread.Suspend()


def everyone():
    for thread in lldb.debugger.GetSelectedTarget().GetProcess():
        if thread.IsSuspended():
            thread.Resume()
