import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.event.ThreadStartEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.event.VMStartEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.ExceptionRequest;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the program does between two stops. Events are handled one set at a time, and none while the program is stopped. */
final class Stops implements Runnable {
  private final VirtualMachine vm;
  private final Bridge bridge;
  private final Wire wire;
  private final Breakpoints breakpoints;
  private boolean stopped;
  private boolean configured;
  /** What stands still until all of the configuration is in place. */
  private final List<EventSet> held = new ArrayList<>();
  private boolean suspended;
  private boolean caughtToo;
  /** Of the stop at an exception. */
  ExceptionEvent exception;
  /** Where all lines are recorded. */
  Lines lines;

  Stops(VirtualMachine vm, Bridge bridge, Wire wire, Breakpoints breakpoints) {
    this.vm = vm;
    this.bridge = bridge;
    this.wire = wire;
    this.breakpoints = breakpoints;
    EventRequest threads = vm.eventRequestManager().createThreadStartRequest();
    threads.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    threads.enable();
  }

  @Override
  public void run() {
    try {
      for (; ; ) handle(vm.eventQueue().remove());
    } catch (VMDisconnectedException | InterruptedException over) {
      wire.event("terminated", Json.map());
    }
  }

  private synchronized void handle(EventSet events) throws InterruptedException {
    boolean ends = false;
    for (Event event : events) ends |= event instanceof VMDisconnectEvent;
    while (stopped && !ends) wait();
    for (Event event : events) if (event instanceof MethodEntryEvent) lines.entering((MethodEntryEvent) event);
    List<Object> hit = new ArrayList<>();
    Map<String, Object> stop = null;
    for (Event event : events) {
      Map<String, Object> one = consider(event, hit);
      if (one != null && (stop == null || event instanceof BreakpointEvent)) stop = one;
    }
    if (stop == null) {
      boolean begins = false;
      for (Event event : events) begins |= event instanceof VMStartEvent;
      if (begins && !configured) held.add(events);
      else events.resume();
      return;
    }
    if (!hit.isEmpty()) stop.put("hitBreakpointIds", hit);
    stopped(stop);
  }

  /** What to say if this event is a stop. */
  private Map<String, Object> consider(Event event, List<Object> hit) {
    if (event instanceof VMStartEvent) {
      wire.event("thread", Json.map("reason", "started", "threadId", bridge.threadId(((VMStartEvent) event).thread())));
    } else if (event instanceof ClassPrepareEvent) {
      breakpoints.prepared(((ClassPrepareEvent) event).referenceType());
      if (lines != null) lines.prepared(((ClassPrepareEvent) event).referenceType());
    } else if (event instanceof ThreadStartEvent) {
      ThreadReference thread = ((ThreadStartEvent) event).thread();
      if (isOfTheVm(thread)) return null;
      wire.event("thread", Json.map("reason", "started", "threadId", bridge.threadId(thread)));
    } else if (event instanceof ThreadDeathEvent) {
      if (lines != null) lines.ended(((ThreadDeathEvent) event).thread());
    } else if (event instanceof MethodExitEvent) {
      lines.left((MethodExitEvent) event);
    } else if (event instanceof BreakpointEvent && event.request().getProperty(Lines.MARK) != null) {
      lines.at((BreakpointEvent) event);
    } else if (event instanceof BreakpointEvent) {
      return atPoint((BreakpointEvent) event, hit);
    } else if (event instanceof StepEvent) {
      return reason("step", ((StepEvent) event).thread());
    } else if (event instanceof ExceptionEvent) {
      return atException((ExceptionEvent) event);
    } else if (event instanceof VMDeathEvent) {
      if (lines != null) lines.over();
      wire.event("terminated", Json.map());
    } else if (event instanceof VMDisconnectEvent) {
      throw new VMDisconnectedException();
    }
    return null;
  }

  /** Its own threads are numbered when somebody asks for them. */
  private static boolean isOfTheVm(ThreadReference thread) {
    return thread.threadGroup() != null && thread.threadGroup().name().equals("system");
  }

  private Map<String, Object> atPoint(BreakpointEvent event, List<Object> hit) {
    Point point = (Point) event.request().getProperty("point");
    if (!point.stops(new Calls(vm, event.thread(), 0), wire)) return null;
    if (point.entry) {
      breakpoints.remove(point);
      return reason("entry", event.thread());
    }
    hit.add(point.id);
    return reason(point.method == null ? "breakpoint" : "function breakpoint", event.thread());
  }

  /** Libraries throw and catch among themselves all the time; that is nobody's business. */
  private Map<String, Object> atException(ExceptionEvent event) {
    Location caught = event.catchLocation();
    boolean ownAffair = caught != null && Sources.isLibrary(caught.declaringType()) && Sources.isLibrary(event.location().declaringType());
    if (ownAffair || (caught != null && !caughtToo)) return null;
    exception = event;
    Map<String, Object> stop = reason("exception", event.thread());
    stop.put("text", Values.describeThrowable(event.exception()));
    return stop;
  }

  private Map<String, Object> reason(String reason, ThreadReference thread) {
    return Json.map("reason", reason, "threadId", bridge.threadId(thread), "allThreadsStopped", true);
  }

  private void stopped(Map<String, Object> body) {
    stopped = true;
    if (!"exception".equals(body.get("reason"))) exception = null;
    EventRequestManager requests = vm.eventRequestManager();
    requests.deleteEventRequests(new ArrayList<>(requests.stepRequests()));
    wire.event("stopped", body);
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  synchronized void configured() {
    configured = true;
    for (EventSet events : held) events.resume();
    if (suspended) vm.resume();
  }

  /** A program that runs already: nothing is to happen in it before we are ready. */
  synchronized void hold() {
    suspended = true;
    vm.suspend();
  }

  synchronized void resume() throws Evaluator.Failure {
    if (!stopped) throw new Evaluator.Failure("the program is running");
    stopped = false;
    notifyAll();
    vm.resume();
  }

  synchronized void step(ThreadReference thread, int depth) throws Evaluator.Failure {
    StepRequest request = vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_LINE, depth);
    for (String library : Sources.LIBRARIES) request.addClassExclusionFilter(library);
    request.addCountFilter(1);
    request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    request.enable();
    resume();
  }

  synchronized void pause() {
    if (stopped) return;
    vm.suspend();
    stopped(reason("pause", ofInterest()));
  }

  /** One that is in the user's code, the main thread before others. */
  private ThreadReference ofInterest() {
    ThreadReference best = null;
    for (ThreadReference thread : vm.allThreads()) {
      if (best == null || (isInOwnCode(thread) && (thread.name().equals("main") || !isInOwnCode(best)))) best = thread;
    }
    return best;
  }

  private static boolean isInOwnCode(ThreadReference thread) {
    try {
      for (StackFrame frame : thread.frames()) if (!Sources.isLibrary(frame.location().declaringType())) return true;
    } catch (IncompatibleThreadStateException running) {
      return false;
    }
    return false;
  }

  synchronized void catching(boolean caught, boolean uncaught) {
    EventRequestManager requests = vm.eventRequestManager();
    requests.deleteEventRequests(new ArrayList<>(requests.exceptionRequests()));
    caughtToo = caught;
    if (!caught && !uncaught) return;
    ExceptionRequest request = requests.createExceptionRequest(null, caught, uncaught);
    request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    request.enable();
  }

  Map<String, Object> exceptionInfo() throws Evaluator.Failure {
    if (exception == null) throw new Evaluator.Failure("this is no stop at an exception");
    ObjectReference thrown = exception.exception();
    return Json.map(
        "exceptionId", thrown.referenceType().name(),
        "description", Values.message(thrown),
        "breakMode", exception.catchLocation() == null ? "unhandled" : "always",
        "details", details(thrown, 0));
  }

  private static Map<String, Object> details(ObjectReference thrown, int depth) {
    ObjectReference cause = depth > 5 ? null : Values.cause(thrown);
    return Json.map(
        "typeName", Values.shortName(thrown.referenceType()),
        "fullTypeName", thrown.referenceType().name(),
        "message", Values.message(thrown),
        "innerException", cause == null ? null : List.of(details(cause, depth + 1)));
  }
}
