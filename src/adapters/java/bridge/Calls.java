import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.ArrayType;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassType;
import com.sun.jdi.DoubleValue;
import com.sun.jdi.Field;
import com.sun.jdi.FloatValue;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InterfaceType;
import com.sun.jdi.InvocationException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.LongValue;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveType;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Type;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.request.EventRequest;
import java.util.ArrayList;
import java.util.List;

/** What an expression does in a frame of a stopped thread. A call makes JDI's frames stale, so the frame is asked for each time. */
final class Calls {
  final VirtualMachine vm;
  private final ThreadReference thread;
  private final int depth;
  /** Only read through: nothing is called or changed. */
  boolean dry;

  Calls(VirtualMachine vm, ThreadReference thread, int depth) {
    this.vm = vm;
    this.thread = thread;
    this.depth = depth;
  }

  StackFrame frame() throws IncompatibleThreadStateException {
    return thread.frame(depth);
  }

  LocalVariable local(StackFrame frame, String name) throws Evaluator.Failure {
    try {
      return frame.visibleVariableByName(name);
    } catch (AbsentInformationException none) {
      return null;
    }
  }

  /** The object around an inner one that has such a field. */
  ObjectReference outerWith(ObjectReference inner, String name) {
    ObjectReference at = inner;
    for (int i = 0; at != null && i < 10; i++) {
      if (at.referenceType().fieldByName(name) != null) return at;
      Field outer = null;
      for (Field field : at.referenceType().fields()) if (field.name().startsWith("this$")) outer = field;
      at = outer == null ? null : (ObjectReference) at.getValue(outer);
    }
    return null;
  }

  /** By its whole name, or as the code of this frame may call it. */
  ReferenceType type(String name) throws IncompatibleThreadStateException {
    String own = frame().location().declaringType().name();
    int dot = own.lastIndexOf('.');
    String[] names = {name, own + "$" + name, dot < 0 ? name : own.substring(0, dot + 1) + name, "java.lang." + name, "java.util." + name};
    for (String one : names) {
      List<ReferenceType> found = vm.classesByName(one);
      if (!found.isEmpty()) return found.get(0);
    }
    return null;
  }

  boolean isInstance(Value value, String name) throws Exception {
    ReferenceType type = type(name);
    if (type == null) throw new Evaluator.Failure("class " + name + " is not loaded");
    if (!(value instanceof ObjectReference)) return false;
    return isA(((ObjectReference) value).referenceType(), type);
  }

  private static boolean isA(Type type, Type wanted) {
    if (type.equals(wanted) || wanted.name().equals("java.lang.Object")) return true;
    if (type instanceof ClassType) {
      ClassType own = (ClassType) type;
      if (own.superclass() != null && isA(own.superclass(), wanted)) return true;
      for (InterfaceType one : own.allInterfaces()) if (one.equals(wanted)) return true;
    }
    return false;
  }

  Value method(ObjectReference object, ReferenceType type, String name, List<Value> given) throws Exception {
    if (dry) return null;
    Method best = null;
    List<Value> values = null;
    for (Method method : type.methodsByName(name)) {
      if (method.isAbstract() || (object == null && !method.isStatic())) continue;
      List<Value> fitting = fitted(method, given);
      // The first that fits, unless another fits as it is: max(int, int) before max(long, long).
      if (fitting != null && (best == null || fitting.equals(given))) {
        best = method;
        values = fitting;
      }
    }
    if (best == null) throw new Evaluator.Failure(type.name() + " has no " + (object == null ? "static " : "") + "method " + name + " for these arguments");
    return invoke(object, type, best, values);
  }

  private List<Value> fitted(Method method, List<Value> given) throws Exception {
    List<Type> types = method.argumentTypes();
    if (types.size() != given.size()) return null;
    List<Value> fitted = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      try {
        Value value = converted(given.get(i), types.get(i));
        boolean isObject = value instanceof ObjectReference && types.get(i) instanceof ReferenceType;
        if (isObject && !isA(value.type(), types.get(i))) return null;
        fitted.add(value);
      } catch (Evaluator.Failure other) {
        return null;
      }
    }
    return fitted;
  }

  /** Breakpoints are off meanwhile: one in the called code would wait for an answer that cannot come. */
  private Value invoke(ObjectReference object, ReferenceType type, Method method, List<Value> values) throws Exception {
    List<EventRequest> paused = new ArrayList<>();
    for (List<? extends EventRequest> kind : List.of(vm.eventRequestManager().breakpointRequests(), vm.eventRequestManager().exceptionRequests(), vm.eventRequestManager().stepRequests(), vm.eventRequestManager().classPrepareRequests())) {
      for (EventRequest request : kind) if (request.isEnabled()) paused.add(request);
    }
    for (EventRequest request : paused) request.disable();
    try {
      int alone = ObjectReference.INVOKE_SINGLE_THREADED;
      if (!method.isStatic()) return object.invokeMethod(thread, method, values, alone);
      if (type instanceof ClassType) return ((ClassType) type).invokeMethod(thread, method, values, alone);
      return ((InterfaceType) type).invokeMethod(thread, method, values, alone);
    } catch (InvocationException thrown) {
      throw new Evaluator.Failure(method.name() + " threw " + Values.describeThrowable(thrown.exception()));
    } finally {
      for (EventRequest request : paused) request.enable();
    }
  }

  Value mirror(Object literal) {
    if (literal instanceof String) return vm.mirrorOf((String) literal);
    if (literal instanceof Character) return vm.mirrorOf((char) literal);
    if (literal instanceof Integer) return vm.mirrorOf((int) literal);
    if (literal instanceof Long) return vm.mirrorOf((long) literal);
    if (literal instanceof Float) return vm.mirrorOf((float) literal);
    return vm.mirrorOf((double) literal);
  }

  /** The number in an Integer, the boolean in a Boolean. */
  Value unboxed(Value value) {
    if (!(value instanceof ObjectReference) || value instanceof StringReference) return value;
    ObjectReference object = (ObjectReference) value;
    if (!object.referenceType().name().matches("java\\.lang\\.(Integer|Long|Short|Byte|Character|Boolean|Float|Double)"))
      return value;
    return object.getValue(object.referenceType().fieldByName("value"));
  }

  Value binary(String operator, Value first, Value second) throws Exception {
    if (dry) return null;
    boolean compares = operator.equals("==") || operator.equals("!=");
    if (operator.equals("+") && (first instanceof StringReference || second instanceof StringReference))
      return vm.mirrorOf(text(first) + text(second));
    boolean objects = !(first instanceof PrimitiveValue) && !(second instanceof PrimitiveValue);
    if (compares && objects) {
      boolean same = first == null ? second == null : first.equals(second);
      return vm.mirrorOf(same == operator.equals("=="));
    }
    Value left = unboxed(first);
    Value right = unboxed(second);
    if (left instanceof BooleanValue && right instanceof BooleanValue)
      return vm.mirrorOf(Arithmetic.logic(operator, ((BooleanValue) left).value(), ((BooleanValue) right).value()));
    if (!(left instanceof PrimitiveValue) || !(right instanceof PrimitiveValue))
      throw new Evaluator.Failure("`" + operator + "` does not go with " + typeName(first) + " and " + typeName(second));
    Object result;
    if (isReal(left) || isReal(right)) {
      boolean single = !(left instanceof DoubleValue) && !(right instanceof DoubleValue);
      result = Arithmetic.real(operator, number(left), number(right));
      if (single && result instanceof Double) result = ((Double) result).floatValue();
    } else {
      boolean wide = left instanceof LongValue || right instanceof LongValue;
      result = Arithmetic.whole(operator, whole(left), whole(right), wide);
      if (!wide && result instanceof Long) result = ((Long) result).intValue();
    }
    return result instanceof Boolean ? vm.mirrorOf((boolean) result) : mirror(result);
  }

  private static boolean isReal(Value value) {
    return value instanceof DoubleValue || value instanceof FloatValue;
  }

  static double number(Value value) throws Evaluator.Failure {
    if (value instanceof CharValue) return ((CharValue) value).value();
    if (value instanceof PrimitiveValue && !(value instanceof BooleanValue)) return ((PrimitiveValue) value).doubleValue();
    throw new Evaluator.Failure("not a number: " + typeName(value));
  }

  private static long whole(Value value) throws Evaluator.Failure {
    if (value instanceof BooleanValue) throw new Evaluator.Failure("not a number: boolean");
    return value instanceof CharValue ? ((CharValue) value).value() : ((PrimitiveValue) value).longValue();
  }

  private static String typeName(Value value) {
    return value == null ? "null" : value.type().name();
  }

  private String text(Value value) throws Exception {
    if (value == null) return "null";
    if (value instanceof StringReference) return ((StringReference) value).value();
    Value plain = unboxed(value);
    if (plain instanceof PrimitiveValue) return plain.toString();
    ObjectReference object = (ObjectReference) value;
    return text(method(object, object.referenceType(), "toString", List.of()));
  }

  /** As an assignment converts; narrower numbers too, for a literal has no suffix for them. */
  Value converted(Value value, Type type) throws Evaluator.Failure {
    if (!(type instanceof PrimitiveType)) {
      if (value == null || value instanceof ObjectReference) return value;
      throw new Evaluator.Failure("a " + value.type().name() + " is no " + type.name());
    }
    Value plain = unboxed(value);
    String name = type.name();
    if (plain != null && plain.type().name().equals(name)) return plain;
    if (name.equals("boolean") || !(plain instanceof PrimitiveValue)) throw new Evaluator.Failure("a " + typeName(value) + " is no " + name);
    double real = number(plain);
    if (name.equals("double")) return vm.mirrorOf(real);
    if (name.equals("float")) return vm.mirrorOf((float) real);
    if (isReal(plain)) throw new Evaluator.Failure(plain + " is no " + name);
    long number = whole(plain);
    if (name.equals("long")) return vm.mirrorOf(number);
    if (name.equals("int") && number == (int) number) return vm.mirrorOf((int) number);
    if (name.equals("short") && number == (short) number) return vm.mirrorOf((short) number);
    if (name.equals("byte") && number == (byte) number) return vm.mirrorOf((byte) number);
    if (name.equals("char") && number == (char) number) return vm.mirrorOf((char) number);
    throw new Evaluator.Failure(number + " is no " + name);
  }

  void setField(ObjectReference object, Field field, Value value) throws Exception {
    Value converted = converted(value, field.type());
    if (!field.isStatic()) object.setValue(field, converted);
    else ((ClassType) field.declaringType()).setValue(field, converted);
  }

  void setElement(ArrayReference array, int index, Value value) throws Exception {
    array.setValue(index, converted(value, ((ArrayType) array.type()).componentType()));
  }
}
