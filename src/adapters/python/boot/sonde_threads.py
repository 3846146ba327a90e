"""A thread that is halted because another has stopped, just before a line with a breakpoint, comes to that breakpoint when it goes on:
pydevd looks at a line once, and at none of a thread that it halts."""

import os
import threading

_told = threading.local()


def adapt():
    from _pydevd_bundle.pydevd_comm_constants import CMD_SET_BREAK, CMD_THREAD_SUSPEND
    from pydevd import PyDB, ThreadsSuspendedSingleNotification

    wait, send = PyDB.do_wait_suspend, ThreadsSuspendedSingleNotification.send_suspend_notification

    def send_suspend_notification(self, thread_id, thread, stop_reason):
        _told.own = stop_reason != CMD_THREAD_SUSPEND
        return send(self, thread_id, thread, stop_reason)

    def do_wait_suspend(self, thread, frame, event, arg, *args, **named):
        due, line, info = None, frame.f_lineno, thread.additional_info
        while True:
            _told.own = False
            result = wait(self, thread, frame, event, arg, *args, **named)
            # Of threads that stop in one moment only the first is told of; and one that is about to stop may be halted by another.
            if event != "line" or _told.own or line != frame.f_lineno or self.pydb_disposed:
                return result
            if info.pydev_step_cmd not in (-1, CMD_THREAD_SUSPEND):
                return result
            if due is None:
                due = breakpoint_at(self, frame)
                if due is None or not stops(self, due, info, frame):
                    return result
            self.set_suspend(thread, CMD_SET_BREAK, suspend_other_threads=due.suspend_policy == "ALL")
            if hasattr(info, "hit_breakpoint_ids"):
                info.hit_breakpoint_ids = [due.breakpoint_id]

    PyDB.do_wait_suspend = do_wait_suspend
    ThreadsSuspendedSingleNotification.send_suspend_notification = send_suspend_notification


class Waiting:
    """What wakes a halted thread. pydevd clears it after it woke: a request that came in between would wait for a fifth of a second."""

    def __init__(self, queue, event):
        self.queue, self.event = queue, event
        self.set, self.clear = event.set, event.clear

    def wait(self, timeout=None):
        return not self.queue.empty() or self.event.wait(timeout)


def answer_at_once():
    from pydevd import PyDB

    find = PyDB.get_internal_queue_and_event

    def get_internal_queue_and_event(self, thread_id):
        queue, event = find(self, thread_id)
        return queue, Waiting(queue, event)

    PyDB.get_internal_queue_and_event = get_internal_queue_and_event


def breakpoint_at(py_db, frame):
    from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame

    in_file = py_db.breakpoints.get(get_abs_path_real_path_and_base_from_frame(frame)[1])
    return in_file.get(frame.f_lineno) if in_file else None


def stops(py_db, breakpoint, info, frame):
    if breakpoint.expression is not None:
        py_db.handle_breakpoint_expression(breakpoint, info, frame)
    if breakpoint.has_condition and not py_db.handle_breakpoint_condition(info, breakpoint, frame):
        return False
    if breakpoint.is_logpoint and info.pydev_message:
        py_db.writer.add_command(py_db.cmd_factory.make_io_message(info.pydev_message + os.linesep, "1"))
    return not breakpoint.is_logpoint
