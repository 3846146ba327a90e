import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All breakpoints. A class is there when it is first used, so each class that comes is looked at. */
final class Breakpoints {
  private final Wire wire;
  private final Sources sources;
  private final List<Point> points = new ArrayList<>();
  private VirtualMachine vm;
  private int nextId = 1;

  Breakpoints(Wire wire, Sources sources) {
    this.wire = wire;
    this.sources = sources;
  }

  void connected(VirtualMachine machine) {
    vm = machine;
    EventRequest prepared = vm.eventRequestManager().createClassPrepareRequest();
    prepared.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    prepared.enable();
    for (Point point : points) bindToLoaded(point);
  }

  /** All of a file, or with null all methods. */
  List<Object> set(String path, List<?> asked) {
    List<Point> before = new ArrayList<>();
    for (Point point : points) {
      boolean inGroup = path == null ? point.method != null && !point.entry : path.equals(point.path);
      if (inGroup) before.add(point);
    }
    List<Object> answers = new ArrayList<>();
    for (Object one : asked) {
      @SuppressWarnings("unchecked")
      Point wanted = new Point(nextId, path, (Map<String, Object>) one);
      Point kept = null;
      for (Point old : before) if (old.isSame(wanted)) kept = old;
      if (kept == null) {
        kept = wanted;
        nextId++;
        points.add(kept);
        if (vm != null) bindToLoaded(kept);
      }
      before.remove(kept);
      answers.add(kept.described());
    }
    for (Point gone : before) remove(gone);
    return answers;
  }

  void stopAtEntry(String mainClass) {
    String name = mainClass == null ? "main" : mainClass + ".main";
    Point entry = new Point(nextId++, null, Json.map("name", name));
    entry.entry = true;
    points.add(entry);
  }

  void remove(Point point) {
    points.remove(point);
    if (vm != null) vm.eventRequestManager().deleteEventRequests(point.requests);
  }

  private void bindToLoaded(Point point) {
    for (ReferenceType type : vm.allClasses()) if (type.isPrepared()) bind(point, type);
  }

  void prepared(ReferenceType type) {
    for (Point point : new ArrayList<>(points)) {
      String before = Json.write(point.described());
      bind(point, type);
      Map<String, Object> now = point.described();
      if (!point.entry && !Json.write(now).equals(before)) wire.event("breakpoint", Json.map("reason", "changed", "breakpoint", now));
    }
  }

  private void bind(Point point, ReferenceType type) {
    try {
      if (point.method != null) bindMethod(point, type);
      else if (sources.isOf(point.path, type)) bindLine(point, type);
    } catch (AbsentInformationException none) {
      point.message = type.name() + " was compiled without line numbers (javac -g has them)";
    }
  }

  private void bindMethod(Point point, ReferenceType type) {
    int dot = point.method.lastIndexOf('.');
    String name = point.method.substring(dot + 1);
    if (dot < 0 ? Sources.isLibrary(type) : !isCalled(type, point.method.substring(0, dot))) return;
    for (Method method : type.methodsByName(name)) {
      boolean isMain = method.isStatic() && method.argumentTypeNames().equals(List.of("java.lang.String[]"));
      if (method.location() == null || !method.declaringType().equals(type) || (point.entry && !isMain)) continue;
      add(point, method.location());
    }
  }

  private static boolean isCalled(ReferenceType type, String name) {
    return type.name().equals(name) || type.name().endsWith("." + name) || type.name().endsWith("$" + name);
  }

  private void bindLine(Point point, ReferenceType type) throws AbsentInformationException {
    sources.learn(point.path, type);
    List<Location> exact = type.locationsOfLine(point.line);
    if (!exact.isEmpty()) {
      if (point.boundLine != point.line) unbind(point);
      point.boundLine = point.line;
      add(point, exact.get(0));
      return;
    }
    int next = nextInMethod(type, point.line);
    if (next > 0 && point.requests.isEmpty()) {
      point.boundLine = next;
      add(point, type.locationsOfLine(next).get(0));
    } else if (point.requests.isEmpty()) {
      point.message = "there is no code at line " + point.line + " of " + type.name();
    }
  }

  /** The next line with code of the method that this line is within: a comment, say. */
  private static int nextInMethod(ReferenceType type, int line) throws AbsentInformationException {
    int best = 0;
    for (Method method : type.methods()) {
      if (method.isAbstract() || method.isNative()) continue;
      int first = Integer.MAX_VALUE;
      int next = 0;
      for (Location location : method.allLineLocations()) {
        int at = location.lineNumber();
        first = Math.min(first, at);
        if (at > line && (next == 0 || at < next)) next = at;
      }
      if (first < line && next > 0 && (best == 0 || next < best)) best = next;
    }
    return best;
  }

  private void unbind(Point point) {
    vm.eventRequestManager().deleteEventRequests(point.requests);
    point.requests.clear();
  }

  private void add(Point point, Location location) {
    for (BreakpointRequest there : point.requests) if (there.location().equals(location)) return;
    BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(location);
    request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    request.putProperty("point", point);
    request.enable();
    point.requests.add(request);
  }
}
