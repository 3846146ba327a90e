"""
Samples the Python program it runs in: a timer of the processor's time, or a thread, looks at all stacks at a fixed rate and adds up, for each, the
processor time that its thread has used since the last look. What was seen goes to sonde by a Unix socket, every now and then and at the end; whatever
sonde sends there, or its end, ends the sampling. Nothing of it is left in the program then.

`begin(address)` for time, `begin(address, heap=True)` for memory that was allocated from then on and is in use.
"""
import os
import sys

PERIOD_S = 0.005
# So much processor time without a signal: the main thread does not hear them.
DEAF_S = 0.1
SEND_S = 0.2
MOST_FRAMES = 200
HEAP_FRAMES = 24


def begin(address, heap=False, children=False):
    import socket

    folder = os.lstat(os.path.dirname(address))
    if folder.st_uid != os.geteuid() or folder.st_mode & 0o170077 != 0o040000:
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.connect(address)
    sampler = (Heap if heap else Cpu)(made)
    sampler.start()
    if children:
        pid = os.getpid()

        def forked():
            made.close()
            if os.getpid() != pid and not sampler.over:
                begin(address, heap)

        os.register_at_fork(after_in_child=forked)
    return sampler


class Channel:
    """Lines of JSON. One that is not read, or gone, ends the sampling, never the program."""

    def __init__(self, made):
        import json

        self.socket = made
        self.dumps = json.dumps
        self.frames = {}
        self.fresh = []

    def frame(self, name, file, line):
        key = (name, file, line)
        known = self.frames.get(key)
        if known is None:
            known = self.frames[key] = len(self.frames)
            self.fresh.append(key)
        return known

    def send(self, **message):
        message["frames"] = self.fresh
        self.fresh = []
        self.socket.sendall((self.dumps(message) + "\n").encode("utf-8", "backslashreplace"))


class Sampler:
    """A thread that the program does not see among its own."""

    LAST_S = 2

    def __init__(self, made):
        import _thread
        import atexit
        import select
        import time

        self.channel = Channel(made)
        self.socket = made
        self.over = False
        self.thread, self.atexit, self.time = _thread, atexit, time
        self.poll = select.poll()
        self.poll.register(made, select.POLLIN | select.POLLHUP)
        self.done = _thread.allocate_lock()

    def start(self):
        self.channel.send(pid=os.getpid(), version=sys.version.split()[0], impl=sys.implementation.name)
        self.atexit.register(self.at_exit)
        self.done.acquire()
        self.thread.start_new_thread(self.run, ())

    def run(self):
        try:
            self.work()
        except Exception:  # sonde is gone, or Python is: the program goes on either way
            pass
        finally:
            self.over = True
            try:
                self.socket.close()
                self.atexit.unregister(self.at_exit)
            except Exception:
                pass
            self.done.release()

    def at_exit(self):
        """The last of it is sent before the program is gone."""
        if self.over:
            return
        self.over = True
        try:
            import socket

            self.socket.shutdown(socket.SHUT_RD)
        except OSError:
            pass
        self.done.acquire(True, self.LAST_S)

    def asked(self, seconds):
        """Whether it is to end; waits for as long."""
        return bool(self.poll.poll(max(0, seconds) * 1000)) or self.over


class Cpu(Sampler):
    """By a timer of the processor's time, whose signal Python handles in its main thread, where that is free: then a stack is seen as often as it
    runs. Else by the thread: it gets its turn where others give theirs up, and sees such places too often."""

    signals = False
    spent_ns = 0
    ticked_at = 0.0

    def start(self):
        import signal

        self.looking = self.thread.allocate_lock()
        self.clocks = {}
        self.stacks = {}
        self.idle = [0, 0]
        super().start()
        try:
            if signal.getsignal(signal.SIGPROF) != signal.SIG_DFL or signal.getitimer(signal.ITIMER_PROF) != (0.0, 0.0):
                return
            self.signal = signal
            signal.signal(signal.SIGPROF, self.tick)  # fails elsewhere than in the main thread
            self.ticked_at = self.time.process_time()
            signal.setitimer(signal.ITIMER_PROF, PERIOD_S, PERIOD_S)
            self.signals = True
            sys.addaudithook(self.audited)
        except (ValueError, OSError, AttributeError):
            pass

    def audited(self, event, _args):
        """The timer would outlive the program, and its signal kill what comes after it."""
        if event == "os.exec" and self.signals:
            self.leave()

    def leave(self):
        if not self.signals:
            return
        self.signals = False
        try:
            self.signal.setitimer(self.signal.ITIMER_PROF, 0)
            if self.signal.getsignal(self.signal.SIGPROF) == self.tick:
                self.signal.signal(self.signal.SIGPROF, self.signal.SIG_IGN)
        except (ValueError, OSError):
            pass

    def tick(self, _number, _frame):
        if self.over or not self.signals:
            return self.leave()
        self.ticked_at = self.time.process_time()
        # Busy in the other thread, or interrupted by its own signal: what was spent is counted at the next one.
        if not self.looking.acquire(False):
            return None
        try:
            self.look(0)
        except Exception:  # never the program's
            self.leave()
        finally:
            self.looking.release()

    def work(self):
        now = self.time.monotonic
        began = last = sent = now()
        with self.looking:
            self.ident = self.thread.get_ident()
            self.look(0)
            self.looked = True
        own = self.time.thread_time
        due = began + PERIOD_S
        try:
            while not self.asked(due - now()):
                at = now()
                # A signal comes to the thread that runs: a main thread that waits for others does not hear of it.
                if not self.signals or self.time.process_time() - self.ticked_at > DEAF_S:
                    with self.looking:
                        self.look(at - last)
                    last = at
                # Not to be made up for: a look that came late stands for all of the time before it.
                due = max(due + PERIOD_S, at)
                if at - sent >= SEND_S:
                    self.send(at - sent, seconds=at - began, own=own())
                    sent = at
        finally:
            signals = self.signals
            self.leave()
        at = now()
        with self.looking:
            # What the thread sees last is not where it was spent; there is little of it.
            self.look(0 if signals else at - last)
        self.send(at - sent, signals, seconds=at - began, own=own(), last=True)

    def send(self, passed, signals=None, **more):
        signals = self.signals if signals is None else signals
        with self.looking:
            seen, self.stacks = self.stacks, {}
            idle, self.idle = self.idle, [0, 0]
            unknown, spent, self.spent_ns = self.unknown, self.spent_ns, 0
        if signals:
            idle = [max(0, int(passed * 1e9) - spent), 1]
        stacks = [[list(stack), ns, count] for stack, (ns, count) in seen.items()]
        self.channel.send(stacks=stacks, idle=idle, unknown=unknown, signals=signals, **more)

    unknown = 0
    looked = False
    ident = None

    def look(self, seconds):
        """Each thread's processor time since the last look belongs to the stack it has now."""
        threading = sys.modules.get("threading")
        known = getattr(threading, "_active", {}) if threading else {}
        busy = False
        unknown = 0
        for ident, frame in sys._current_frames().items():
            if ident == self.ident:
                continue
            native = getattr(known.get(ident), "native_id", None)
            if native is None and not threading:
                native = os.getpid()  # the only one there is
            if native is None:
                unknown += 1
                continue
            spent = self.spent(native)
            if spent <= 0:
                continue
            busy = True
            self.spent_ns += spent
            entry = self.stacks.setdefault(self.stack(frame), [0, 0])
            entry[0] += spent
            entry[1] += 1
        self.unknown = max(self.unknown, unknown)
        if not busy:
            self.idle[0] += int(seconds * 1e9)
            self.idle[1] += 1

    def spent(self, native):
        """Nanoseconds on a processor since it was asked last."""
        try:
            clock = self.clocks.get(native)
            if clock is None:
                clock = self.clocks[native] = [os.open("/proc/self/task/%d/schedstat" % native, os.O_RDONLY | os.O_CLOEXEC), None]
            total = int(os.pread(clock[0], 64, 0).split()[0])
        except (OSError, ValueError, IndexError):
            gone = self.clocks.pop(native, None)
            if gone:
                os.close(gone[0])
            return 0
        before, clock[1] = clock[1], total
        # Of a thread that was not there at the last look all is new; of those at the first, nothing.
        return total - (before or 0) if before is not None or self.looked else 0

    def stack(self, frame):
        """The outermost first."""
        frames = []
        while frame is not None and len(frames) < MOST_FRAMES:
            code = frame.f_code
            if code.co_filename != __file__:
                frames.append(self.channel.frame(getattr(code, "co_qualname", code.co_name), code.co_filename, code.co_firstlineno))
            frame = frame.f_back
        frames.reverse()
        return tuple(frames)

    def run(self):
        super().run()
        for fd, _ in self.clocks.values():
            os.close(fd)


class Heap(Sampler):
    LAST_S = 30  # a large heap takes its time

    def start(self):
        """What the program allocates from its next line on is counted."""
        import tracemalloc

        self.mine = not tracemalloc.is_tracing()
        if self.mine:
            tracemalloc.start(HEAP_FRAMES)
        super().start()

    def work(self):
        import _tracemalloc
        import tracemalloc

        mine = self.mine
        now = self.time.monotonic
        began = now()
        try:
            while not self.asked(3600):
                pass
            # As Python itself keeps them, the innermost first: objects of its module would take many times the memory.
            traces = _tracemalloc._get_traces()
        finally:
            if mine:
                tracemalloc.stop()
        sizes = {}
        for trace in traces:
            entry = sizes.setdefault(trace[2], [0, 0])
            entry[0] += trace[1]
            entry[1] += 1
        names = Functions()
        stacks = {}
        for traceback, (size, count) in sizes.items():
            if traceback[0][0] in (__file__, tracemalloc.__file__):
                continue
            stack = tuple(self.channel.frame(*names.at(*one)) for one in reversed(traceback))
            entry = stacks.setdefault(stack, [0, 0])
            entry[0] += size
            entry[1] += count
        self.channel.send(
            stacks=[[list(stack), size, count] for stack, (size, count) in stacks.items()],
            seconds=now() - began,
            traced=not mine,
            last=True,
        )


class Functions:
    """Python keeps the line of an allocation, not its function: that is found in the source, which is compiled and not run."""

    def __init__(self):
        self.files = {}

    def at(self, file, line):
        known = self.files.get(file)
        if known is None:
            known = self.files[file] = self.read(file)
        return known.get(line, ("<line %d>" % line, file, line))

    def read(self, file):
        lines = {}
        try:
            if os.path.getsize(file) > 4 << 20:
                return lines
            with open(file, "rb") as source:
                open_ = [(compile(source.read(), file, "exec", dont_inherit=True), "")]
        except (OSError, SyntaxError, ValueError, MemoryError, RecursionError):
            return lines
        while open_:
            code, outer = open_.pop(0)  # the outer before the inner, which then stands
            name = getattr(code, "co_qualname", outer + code.co_name)
            for one in self.lines(code):
                lines[one] = (name, file, code.co_firstlineno)
            inner = "" if code.co_name == "<module>" else name + ".<locals>."
            open_ += [(one, inner) for one in code.co_consts if hasattr(one, "co_code")]
        return lines

    def lines(self, code):
        if hasattr(code, "co_lines"):
            return {line for _, _, line in code.co_lines() if line is not None}
        import dis

        return {line for _, line in dis.findlinestarts(code)}
