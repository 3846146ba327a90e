import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * DAP on one side, the JDK's own debug interface on the other. Called with the address to dial and, for a launch, the word
 * "listen": then it prints the port at which it awaits the program, which its caller starts.
 */
public final class Bridge {
  private static final int EXIT_TERMINATED = 143;

  private final Wire wire;
  private final Sources sources = new Sources();
  private final Breakpoints breakpoints;
  private final Map<Long, Integer> threadIds = new HashMap<>();
  private Door door;
  private VirtualMachine vm;
  private Stops stops;
  private Frames frames;
  private boolean launched;
  private boolean over;

  private Bridge(Wire wire) {
    this.wire = wire;
    breakpoints = new Breakpoints(wire, sources);
  }

  public static void main(String[] args) throws Exception {
    Bridge bridge = new Bridge(new Wire(args[0], Integer.parseInt(args[1])));
    if (args.length > 2) bridge.listen();
    bridge.serve();
    System.exit(0);
  }

  private void listen() throws Exception {
    door = new Door();
    System.out.println("port " + door.port());
  }

  private void serve() throws Exception {
    for (Map<String, Object> request = wire.read(); request != null && !over; request = wire.read()) {
      try {
        // An answer goes out before what follows from it: a breakpoint may be hit at once.
        synchronized (stops == null ? this : stops) {
          answer(request, request.get("arguments") instanceof Map ? arguments(request) : Map.of());
        }
      } catch (Exception failure) {
        wire.refuse(request, reason(failure));
      }
    }
    leave(launched);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> arguments(Map<String, Object> request) {
    return (Map<String, Object>) request.get("arguments");
  }

  static String reason(Exception failure) {
    if (failure instanceof Evaluator.Failure) return failure.getMessage();
    if (failure instanceof VMDisconnectedException) return "the program has ended";
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private void answer(Map<String, Object> request, Map<String, Object> args) throws Exception {
    switch ((String) request.get("command")) {
      case "initialize": wire.answer(request, capabilities()); break;
      case "launch": case "attach": open(request, args); break;
      case "configurationDone": wire.answer(request, null); stops.configured(); break;
      case "setBreakpoints": wire.answer(request, Json.map("breakpoints", breakpoints.set(path(args), list(args)))); break;
      case "setFunctionBreakpoints": wire.answer(request, Json.map("breakpoints", breakpoints.set(null, list(args)))); break;
      case "setExceptionBreakpoints": catching((List<?>) args.get("filters")); wire.answer(request, null); break;
      case "threads": wire.answer(request, Json.map("threads", threads())); break;
      case "stackTrace": stopped(); wire.answer(request, frames.stack(thread(args), number(args, "startFrame"), number(args, "levels"))); break;
      case "scopes": stopped(); wire.answer(request, Json.map("scopes", frames.scopes(number(args, "frameId")))); break;
      case "variables": stopped(); wire.answer(request, Json.map("variables", frames.variables(number(args, "variablesReference"), (String) args.get("filter"), number(args, "start"), number(args, "count")))); break;
      case "setVariable": stopped(); wire.answer(request, frames.set(number(args, "variablesReference"), (String) args.get("name"), (String) args.get("value"))); break;
      case "setExpression": stopped(); wire.answer(request, frames.setExpression((String) args.get("expression"), (String) args.get("value"), number(args, "frameId"))); break;
      case "evaluate": stopped(); wire.answer(request, frames.evaluate((String) args.get("expression"), number(args, "frameId"))); break;
      case "exceptionInfo": wire.answer(request, stops.exceptionInfo()); break;
      case "continue": moving(); stops.resume(); wire.answer(request, Json.map("allThreadsContinued", true)); break;
      case "next": step(request, args, StepRequest.STEP_OVER); break;
      case "stepIn": step(request, args, StepRequest.STEP_INTO); break;
      case "stepOut": step(request, args, StepRequest.STEP_OUT); break;
      case "pause": wire.answer(request, null); stops.pause(); break;
      case "disconnect": over = true; leave(args.get("terminateDebuggee") == null ? launched : (Boolean) args.get("terminateDebuggee")); wire.answer(request, null); break;
      default: throw new Evaluator.Failure("the Java bridge has no " + request.get("command"));
    }
  }

  private static Map<String, Object> capabilities() {
    Map<String, Object> can = Json.map("supportTerminateDebuggee", true);
    for (String one : new String[] {"ConfigurationDoneRequest", "ConditionalBreakpoints", "HitConditionalBreakpoints", "LogPoints", "FunctionBreakpoints", "SetVariable", "SetExpression", "EvaluateForHovers", "ExceptionInfoRequest", "DelayedStackTraceLoading"})
      can.put("supports" + one, true);
    can.put("exceptionBreakpointFilters", List.of(
        Json.map("filter", "uncaught", "label", "Uncaught exceptions", "default", true),
        Json.map("filter", "all", "label", "All exceptions")));
    return can;
  }

  private void open(Map<String, Object> request, Map<String, Object> args) throws Exception {
    for (Object root : (List<?>) args.getOrDefault("sourceRoots", List.of())) sources.addRoot((String) root);
    launched = request.get("command").equals("launch");
    vm = launched ? door.awaitProgram() : attached((String) args.get("host"), number(args, "port"));
    frames = new Frames(vm, sources);
    stops = new Stops(vm, this, wire, breakpoints);
    if (args.get("recordLines") instanceof Map) stops.lines = new Lines(vm, sources, (Map<?, ?>) args.get("recordLines"));
    if (Boolean.TRUE.equals(args.get("stopOnEntry"))) breakpoints.stopAtEntry((String) args.get("mainClass"));
    if (!launched) stops.hold();
    breakpoints.connected(vm);
    for (ThreadReference thread : vm.allThreads()) threadId(thread);
    Thread events = new Thread(stops, "events");
    events.setDaemon(true);
    events.start();
    wire.answer(request, null);
    wire.event("initialized", Json.map());
  }

  private static VirtualMachine attached(String host, int port) throws Exception {
    AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
        .filter((one) -> one.name().equals("com.sun.jdi.SocketAttach")).findFirst().get();
    Map<String, Connector.Argument> where = connector.defaultArguments();
    where.get("hostname").setValue(host);
    where.get("port").setValue(Integer.toString(port));
    return connector.attach(where);
  }

  /** Also of threads that are only known by an event so far. */
  int threadId(ThreadReference thread) {
    synchronized (threadIds) {
      return threadIds.computeIfAbsent(thread.uniqueID(), (id) -> threadIds.size() + 1);
    }
  }

  private ThreadReference thread(Map<String, Object> args) throws Evaluator.Failure {
    int wanted = number(args, "threadId");
    for (ThreadReference thread : vm.allThreads()) if (threadId(thread) == wanted) return thread;
    throw new Evaluator.Failure("there is no thread " + wanted);
  }

  private List<Object> threads() {
    List<Object> shown = new ArrayList<>();
    for (ThreadReference thread : vm.allThreads()) {
      try {
        shown.add(Json.map("id", threadId(thread), "name", thread.name() + state(thread)));
      } catch (ObjectCollectedException ended) {
        continue;
      }
    }
    return shown;
  }

  private static String state(ThreadReference thread) {
    switch (thread.status()) {
      case ThreadReference.THREAD_STATUS_MONITOR: return " (waits for a lock" + holder(thread) + ")";
      case ThreadReference.THREAD_STATUS_WAIT: return " (waits)";
      case ThreadReference.THREAD_STATUS_SLEEPING: return " (sleeps)";
      default: return "";
    }
  }

  /** Known only while the thread stands still. */
  private static String holder(ThreadReference thread) {
    try {
      ObjectReference lock = thread.isSuspended() ? thread.currentContendedMonitor() : null;
      ThreadReference owner = lock == null ? null : lock.owningThread();
      return owner == null ? "" : " that " + owner.name() + " has";
    } catch (IncompatibleThreadStateException | UnsupportedOperationException | ObjectCollectedException unknown) {
      return "";
    }
  }

  private void stopped() throws Evaluator.Failure {
    if (!stops.isStopped()) throw new Evaluator.Failure("the program is running");
  }

  private void moving() throws Evaluator.Failure {
    stopped();
    frames.clear();
  }

  private void step(Map<String, Object> request, Map<String, Object> args, int depth) throws Exception {
    ThreadReference thread = thread(args);
    moving();
    stops.step(thread, depth);
    wire.answer(request, null);
  }

  private void catching(List<?> filters) {
    stops.catching(filters.contains("all"), filters.contains("all") || filters.contains("uncaught"));
  }

  /** A program that stands still cannot end by itself. */
  private void leave(boolean terminate) {
    if (vm == null) return;
    try {
      if (terminate) vm.exit(EXIT_TERMINATED);
      else vm.dispose();
    } catch (VMDisconnectedException gone) {
      // which is what was wanted
    }
    vm = null;
  }

  @SuppressWarnings("unchecked")
  private static String path(Map<String, Object> args) {
    return (String) ((Map<String, Object>) args.get("source")).get("path");
  }

  private static List<?> list(Map<String, Object> args) {
    Object list = args.get("breakpoints");
    return list == null ? List.of() : (List<?>) list;
  }

  private static int number(Map<String, Object> args, String name) {
    Object number = args.get(name);
    return number == null ? 0 : ((Number) number).intValue();
  }
}
