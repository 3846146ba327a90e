import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stacks, scopes and variables of a stop, under numbers that hold until the program moves. */
final class Frames {
  private static final class Place {
    final ThreadReference thread;
    final int depth;

    Place(ThreadReference thread, int depth) {
      this.thread = thread;
      this.depth = depth;
    }
  }

  /** A frame's locals, its class's static fields, or an object. */
  private static final class Holder {
    final Place place;
    final boolean statics;
    final ObjectReference object;

    Holder(Place place, boolean statics, ObjectReference object) {
      this.place = place;
      this.statics = statics;
      this.object = object;
    }
  }

  private final VirtualMachine vm;
  private final Sources sources;
  private final Map<Integer, Place> places = new LinkedHashMap<>();
  private final Map<Integer, Holder> holders = new LinkedHashMap<>();
  private int next = 1;

  Frames(VirtualMachine vm, Sources sources) {
    this.vm = vm;
    this.sources = sources;
  }

  void clear() {
    places.clear();
    holders.clear();
  }

  Map<String, Object> stack(ThreadReference thread, int start, int levels) throws Exception {
    int total = thread.frameCount();
    int count = levels <= 0 ? total - start : Math.min(levels, total - start);
    List<Object> shown = new ArrayList<>();
    List<StackFrame> frames = count <= 0 ? List.of() : thread.frames(start, count);
    for (int i = 0; i < frames.size(); i++) {
      places.put(next, new Place(thread, start + i));
      shown.add(described(next++, frames.get(i).location()));
    }
    return Json.map("stackFrames", shown, "totalFrames", total);
  }

  static String name(Method method) {
    String type = Values.shortName(method.declaringType());
    return method.isConstructor() ? "new " + type : type + "." + method.name();
  }

  private Map<String, Object> described(int id, Location location) {
    ReferenceType type = location.declaringType();
    String name = name(location.method());
    boolean library = Sources.isLibrary(type);
    String file = library ? null : sources.file(location);
    Map<String, Object> source = file == null ? null : Json.map("name", Path.of(file).getFileName().toString(), "path", file);
    return Json.map(
        "id", id, "name", name, "line", Math.max(0, location.lineNumber()), "column", 0, "source", source,
        "presentationHint", library ? "subtle" : null);
  }

  List<Object> scopes(int frameId) throws Exception {
    Place place = place(frameId);
    List<Object> scopes = new ArrayList<>();
    scopes.add(
        Json.map("name", "Locals", "presentationHint", "locals", "expensive", false, "variablesReference", hold(new Holder(place, false, null))));
    boolean hasStatics = false;
    for (Field field : type(place).visibleFields()) hasStatics |= field.isStatic() && !field.isSynthetic();
    if (hasStatics) scopes.add(Json.map("name", "Static", "expensive", false, "variablesReference", hold(new Holder(place, true, null))));
    return scopes;
  }

  private static ReferenceType type(Place place) throws Exception {
    return place.thread.frame(place.depth).location().declaringType();
  }

  private Place place(int frameId) throws Evaluator.Failure {
    Place place = places.get(frameId);
    if (place == null) throw new Evaluator.Failure("there is no such frame at this stop");
    return place;
  }

  private int hold(Holder holder) {
    holders.put(next, holder);
    return next++;
  }

  List<Object> variables(int reference, String filter, int start, int count) throws Exception {
    Holder holder = holder(reference);
    List<Object> shown = new ArrayList<>();
    if ("indexed".equals(filter) && (holder.object == null || !Values.isIndexed(holder.object))) return shown;
    int most = count <= 0 ? Integer.MAX_VALUE : count;
    Map<String, Value> parts = holder.object != null ? Values.parts(holder.object, start, most) : values(holder);
    for (Map.Entry<String, Value> part : parts.entrySet()) shown.add(variable(part.getKey(), part.getValue()));
    return shown;
  }

  private Holder holder(int reference) throws Evaluator.Failure {
    Holder holder = holders.get(reference);
    if (holder == null) throw new Evaluator.Failure("there is no such value at this stop");
    return holder;
  }

  private Map<String, Value> values(Holder holder) throws Exception {
    StackFrame frame = holder.place.thread.frame(holder.place.depth);
    Map<String, Value> values = new LinkedHashMap<>();
    if (holder.statics) {
      ReferenceType type = frame.location().declaringType();
      for (Field field : type.visibleFields())
        if (field.isStatic() && !field.isSynthetic()) values.put(field.name(), type.getValue(field));
      return values;
    }
    if (frame.thisObject() != null) values.put("this", frame.thisObject());
    try {
      for (LocalVariable local : frame.visibleVariables()) values.put(local.name(), frame.getValue(local));
    } catch (AbsentInformationException none) {
      // compiled without -g: arguments are there, but nameless
      List<Value> arguments = frame.getArgumentValues();
      for (int i = 0; i < arguments.size(); i++) values.put("arg" + i, arguments.get(i));
    }
    return values;
  }

  private Map<String, Object> variable(String name, Value value) {
    Map<String, Object> shown = Json.map("name", name, "value", Values.text(value), "type", Values.typeName(value));
    shown.putAll(opened(value));
    return shown;
  }

  private Map<String, Object> opened(Value value) {
    if (!Values.hasParts(value)) return Json.map("variablesReference", 0);
    ObjectReference object = (ObjectReference) value;
    int indexed = Values.indexedCount(object);
    return Json.map("variablesReference", hold(new Holder(null, false, object)), "indexedVariables", indexed > 0 ? indexed : null);
  }

  Map<String, Object> evaluate(String expression, int frameId) throws Exception {
    Value value = Evaluator.evaluate(calls(place(frameId)), expression);
    Map<String, Object> shown = Json.map("result", Values.text(value), "type", Values.typeName(value));
    shown.putAll(opened(value));
    return shown;
  }

  private Calls calls(Place place) {
    return new Calls(vm, place.thread, place.depth);
  }

  Map<String, Object> setExpression(String expression, String text, int frameId) throws Exception {
    Calls calls = calls(place(frameId));
    Evaluator.Operand target = Evaluator.place(calls, expression);
    target.set(Evaluator.evaluate(calls, text));
    return variable(expression, target.get());
  }

  Map<String, Object> set(int reference, String name, String text) throws Exception {
    Holder holder = holder(reference);
    Place place = holder.place != null ? holder.place : places.values().iterator().next();
    Calls calls = calls(place);
    if (holder.object == null) {
      Evaluator.Operand target = Evaluator.place(calls, name);
      target.set(Evaluator.evaluate(calls, text));
      return variable(name, target.get());
    }
    Value value = Evaluator.evaluate(calls, text);
    Field field = holder.object.referenceType().fieldByName(name);
    if (holder.object instanceof ArrayReference) {
      int index = Integer.parseInt(name.replaceAll("[\\[\\]]", ""));
      calls.setElement((ArrayReference) holder.object, index, value);
      return variable(name, ((ArrayReference) holder.object).getValue(index));
    }
    if (field == null) throw new Evaluator.Failure(name + " is no field; call a method of the collection to change it");
    calls.setField(holder.object, field, value);
    return variable(name, holder.object.getValue(field));
  }
}
