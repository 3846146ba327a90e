import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VoidValue;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every line of chosen methods, told into a pipe: breakpoints where lines begin, none of which stops the program for longer than it is read. */
final class Lines {
  static final String MARK = "lines";
  private static final String OWN = "this.";
  private static final int MOST_FIELDS = 20;

  /** A call that has not ended yet. */
  private static final class Activation {
    final int call;
    final Integer parent;
    final int depth;
    final Method method;
    final String path;
    int line;
    Map<String, String> values = Map.of();

    Activation(int call, Integer parent, int depth, Location at, String path) {
      this.call = call;
      this.parent = parent;
      this.depth = depth;
      this.path = path;
      method = at.method();
      line = at.lineNumber();
    }
  }

  private final VirtualMachine vm;
  private final Sources sources;
  private final OutputStream out;
  private final Path cut;
  private final List<String> functions = new ArrayList<>();
  private final List<Path> under = new ArrayList<>();
  private final int depth;
  private final int chars;
  private final long began = System.nanoTime();
  private final Set<Method> wanted = new HashSet<>();
  /** Names that a method was found for. */
  private final Set<String> found = new HashSet<>();
  private final Map<Long, List<Activation>> open = new HashMap<>();
  /** By thread. */
  private final Map<Long, Method> entering = new HashMap<>();
  private int calls;

  Lines(VirtualMachine vm, Sources sources, Map<?, ?> plan) throws IOException {
    this.vm = vm;
    this.sources = sources;
    String channel = (String) plan.get("channel");
    out = new BufferedOutputStream(new FileOutputStream(channel));
    cut = Path.of(channel + ".cut");
    for (Object one : (List<?>) plan.get("functions")) functions.add((String) one);
    for (Object one : (List<?>) plan.get("under")) under.add(Path.of((String) one));
    depth = ((Number) plan.get("depth")).intValue();
    chars = ((Number) plan.get("chars")).intValue();
    ThreadDeathRequest ends = vm.eventRequestManager().createThreadDeathRequest();
    ends.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    ends.enable();
    write(Json.map("began", true));
  }

  void prepared(ReferenceType type) {
    if (Sources.isLibrary(type)) return;
    try {
      boolean any = false;
      for (Method method : type.methods()) any |= watch(method);
      if (!any) return;
      MethodExitRequest exits = vm.eventRequestManager().createMethodExitRequest();
      exits.addClassFilter(type);
      exits.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      exits.enable();
      MethodEntryRequest entries = vm.eventRequestManager().createMethodEntryRequest();
      entries.addClassFilter(type);
      entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      entries.enable();
    } catch (AbsentInformationException none) {
      write(Json.map("note", type.name() + " was compiled without line numbers (javac -g has them)"));
    }
  }

  /** The program has ended. */
  void over() {
    for (String one : functions) if (!found.contains(one)) write(Json.map("note", "no class of yours that was used has a method " + one));
  }

  private boolean watch(Method method) throws AbsentInformationException {
    if (method.isAbstract() || method.isNative() || method.location() == null || method.isBridge()) return false;
    boolean named = false;
    for (String one : functions) {
      if (!isCalled(method, one)) continue;
      named = true;
      found.add(one);
    }
    if (!named && depth == 0 && !functions.isEmpty() || !isUnder(sources.file(method.location()))) return false;
    if (named) wanted.add(method);
    for (Location at : method.allLineLocations()) {
      BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(at);
      request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      request.putProperty(MARK, true);
      request.enable();
    }
    return true;
  }

  private static boolean isCalled(Method method, String name) {
    int dot = name.lastIndexOf('.');
    String own = method.isConstructor() ? Values.shortName(method.declaringType()) : method.name();
    if (!own.equals(name.substring(dot + 1))) return false;
    String type = method.declaringType().name();
    String owner = dot < 0 ? "" : name.substring(0, dot);
    return dot < 0 || type.equals(owner) || type.endsWith("." + owner) || type.endsWith("$" + owner);
  }

  private boolean isUnder(String file) {
    if (file == null) return false;
    for (Path one : under) if (Path.of(file).startsWith(one)) return true;
    return false;
  }

  /** Told before its first line: a call whose like was left by an exception just before looks the same otherwise. */
  void entering(MethodEntryEvent event) {
    entering.put(event.thread().uniqueID(), event.method());
  }

  /** A line is about to run. */
  void at(BreakpointEvent event) {
    try {
      ThreadReference thread = event.thread();
      List<Activation> stack = open.computeIfAbsent(thread.uniqueID(), (id) -> new ArrayList<>());
      int now = thread.frameCount();
      Location at = event.location();
      boolean enters = entering.remove(thread.uniqueID(), at.method());
      // Those that return have said so: the others were left by an exception.
      while (!stack.isEmpty() && (top(stack).depth > now || (top(stack).depth == now && (enters || !top(stack).method.equals(at.method())))))
        tell("throw", stack.remove(stack.size() - 1), thread, List.of(), List.of(), null);
      if (!stack.isEmpty() && top(stack).depth == now) moved(top(stack), at, thread);
      else if (isRecorded(stack, at.method())) entered(stack, now, at, thread);
    } catch (IncompatibleThreadStateException gone) {
      return; // it is being ended
    }
  }

  private boolean isRecorded(List<Activation> stack, Method method) {
    return functions.isEmpty() || wanted.contains(method) || (!stack.isEmpty() && stack.size() <= depth);
  }

  private static Activation top(List<Activation> stack) {
    return stack.get(stack.size() - 1);
  }

  private void entered(List<Activation> stack, int now, Location at, ThreadReference thread) throws IncompatibleThreadStateException {
    Integer parent = stack.isEmpty() ? null : top(stack).call;
    Activation one = new Activation(++calls, parent, now, at, sources.file(at));
    stack.add(one);
    StackFrame frame = thread.frame(0);
    one.values = values(frame);
    List<Object> given = new ArrayList<>();
    if (frame.thisObject() != null) given.add(List.of("this", shown(frame.thisObject())));
    for (Map.Entry<String, String> value : one.values.entrySet())
      if (!value.getKey().startsWith(OWN)) given.add(List.of(value.getKey(), value.getValue()));
    tell("call", one, thread, given, List.of(), null);
    tell("line", one, thread, List.of(), List.of(), null);
  }

  private void moved(Activation one, Location at, ThreadReference thread) throws IncompatibleThreadStateException {
    // A line may consist of several pieces of code.
    if (at.lineNumber() == one.line) return;
    one.line = at.lineNumber();
    tellMove("line", one, thread, null);
  }

  /** A method returns, with what it returns. */
  void left(MethodExitEvent event) {
    try {
      ThreadReference thread = event.thread();
      List<Activation> stack = open.getOrDefault(thread.uniqueID(), List.of());
      int now = thread.frameCount();
      while (!stack.isEmpty() && top(stack).depth > now)
        tell("throw", stack.remove(stack.size() - 1), thread, List.of(), List.of(), null);
      if (stack.isEmpty() || top(stack).depth != now || !top(stack).method.equals(event.method())) return;
      Activation one = stack.remove(stack.size() - 1);
      Value value = event.returnValue();
      tellMove("return", one, thread, value instanceof VoidValue ? null : shown(value));
    } catch (IncompatibleThreadStateException gone) {
      return; // it is being ended
    }
  }

  /** A thread ends: what has not returned in it was left by an exception, unless it is still there (System.exit ends a thread inside its calls). */
  void ended(ThreadReference thread) {
    try {
      int now = thread.frameCount();
      List<Activation> stack = open.getOrDefault(thread.uniqueID(), List.of());
      while (!stack.isEmpty() && top(stack).depth > now)
        tell("throw", stack.remove(stack.size() - 1), thread, List.of(), List.of(), null);
    } catch (IncompatibleThreadStateException gone) {
      return; // nobody can say
    }
  }

  private void tellMove(String kind, Activation one, ThreadReference thread, String value) throws IncompatibleThreadStateException {
    Map<String, String> before = one.values;
    one.values = values(thread.frame(0));
    List<Object> gone = new ArrayList<>();
    for (String name : before.keySet()) if (!one.values.containsKey(name)) gone.add(name);
    tell(kind, one, thread, changes(before, one.values), gone, value);
  }

  private static List<Object> changes(Map<String, String> before, Map<String, String> now) {
    List<Object> changed = new ArrayList<>();
    for (Map.Entry<String, String> one : now.entrySet())
      if (!one.getValue().equals(before.get(one.getKey()))) changed.add(List.of(one.getKey(), one.getValue()));
    return changed;
  }

  /** Of the object, each field by itself: a line changes one of them. */
  private Map<String, String> values(StackFrame frame) {
    Map<String, String> values = new LinkedHashMap<>();
    ObjectReference own = frame.thisObject();
    List<Field> fields = new ArrayList<>();
    if (own != null)
      for (Field field : own.referenceType().visibleFields())
        if (!field.isStatic() && !field.isSynthetic() && fields.size() < MOST_FIELDS) fields.add(field);
    Map<Field, Value> held = own == null ? Map.of() : own.getValues(fields);
    for (Field field : fields) values.put(OWN + field.name(), shown(held.get(field)));
    try {
      Map<LocalVariable, Value> found = frame.getValues(frame.visibleVariables());
      for (LocalVariable one : frame.visibleVariables()) values.put(one.name(), shown(found.get(one)));
    } catch (AbsentInformationException none) {
      return values;
    }
    return values;
  }

  private String shown(Value value) {
    String text = Values.text(value);
    return text.length() > chars ? text.substring(0, chars) : text;
  }

  private void tell(String kind, Activation one, ThreadReference thread, List<?> changes, List<?> gone, String value) {
    // Not if the program was being ended while it was read: what could not be read then is not missing in the program.
    if (Files.exists(cut)) return;
    Map<String, Object> told = Json.map(
        "kind", kind, "ms", (System.nanoTime() - began) / 1000 / 1000.0, "thread", thread.uniqueID(), "name", thread.name(),
        "call", one.call, "function", Frames.name(one.method), "path", one.path, "line", one.line, "changes", changes, "gone", gone);
    if (one.parent != null) told.put("parent", one.parent);
    if (value != null) told.put("value", value);
    write(told);
  }

  private void write(Map<String, Object> message) {
    try {
      out.write((Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException gone) {
      // nobody listens any more
    }
  }
}
