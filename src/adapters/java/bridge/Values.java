import com.sun.jdi.ArrayReference;
import com.sun.jdi.ArrayType;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.VoidValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values as text and as parts. Nothing of the program is run for it: no toString, no size(). */
final class Values {
  private static final int LONGEST = 2000;
  private static final int SUMMARY_PARTS = 8;
  private static final int MOST_PARTS = 10_000;

  private Values() {}

  static String text(Value value) {
    return text(value, 2);
  }

  private static String text(Value value, int depth) {
    if (value == null) return "null";
    if (value instanceof VoidValue) return "void";
    if (value instanceof CharValue) return "'" + value + "'";
    if (value instanceof PrimitiveValue) return value.toString();
    if (value instanceof StringReference) return quoted(((StringReference) value).value());
    ObjectReference object = (ObjectReference) value;
    String name = shortName(object.referenceType());
    if (object instanceof ArrayReference) {
      String length = Integer.toString(((ArrayReference) object).length());
      String empty = "[" + length + "]";
      return name.replaceFirst("\\[\\]", java.util.regex.Matcher.quoteReplacement(empty)) + " " + summary(object, depth);
    }
    Field boxed = boxed(object);
    if (boxed != null) return text(object.getValue(boxed), depth);
    String number = Numbers.text(object);
    if (number != null) return number;
    String constant = enumName(object);
    // One with a body of its own has a class of its own, without a name.
    if (constant != null) return name.replaceFirst("\\$\\d+$", "") + "." + constant;
    if (isThrowable(object.referenceType())) return describeThrowable(object);
    Integer size = Collections.size(object);
    String counted = size == null ? name : name + " size=" + size;
    return depth == 0 ? counted + "@" + object.uniqueID() : counted + " " + summary(object, depth);
  }

  private static String summary(ObjectReference object, int depth) {
    if (depth == 0) return "{…}";
    StringBuilder out = new StringBuilder("{");
    int count = 0;
    boolean indexed = isIndexed(object);
    for (Map.Entry<String, Value> part : parts(object, 0, SUMMARY_PARTS + 1).entrySet()) {
      if (count > 0) out.append(", ");
      if (count++ == SUMMARY_PARTS) {
        out.append("…");
        break;
      }
      if (!indexed) out.append(part.getKey()).append('=');
      out.append(text(part.getValue(), depth - 1));
    }
    return out.append('}').toString();
  }

  static String quoted(String text) {
    String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return "\"" + shown.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "\"";
  }

  static boolean hasParts(Value value) {
    if (!(value instanceof ObjectReference) || value instanceof StringReference) return false;
    ObjectReference object = (ObjectReference) value;
    return boxed(object) == null && Numbers.text(object) == null && enumName(object) == null && !parts(object, 0, 1).isEmpty();
  }

  static boolean isIndexed(ObjectReference object) {
    return object instanceof ArrayReference || Collections.elements(object, 0, 0) != null;
  }

  static int indexedCount(ObjectReference object) {
    if (object instanceof ArrayReference) return ((ArrayReference) object).length();
    Integer size = isIndexed(object) ? Collections.size(object) : null;
    return size == null ? 0 : size;
  }

  /** Elements, entries or fields, by name. */
  static Map<String, Value> parts(ObjectReference object, int start, int count) {
    int most = Math.min(count, MOST_PARTS);
    List<Value> elements = object instanceof ArrayReference ? slice((ArrayReference) object, start, most) : Collections.elements(object, start, most);
    Map<String, Value> parts = new LinkedHashMap<>();
    if (elements != null) {
      for (int i = 0; i < elements.size(); i++) parts.put("[" + (start + i) + "]", elements.get(i));
      return parts;
    }
    Map<String, Value> entries = Collections.entries(object, start, most);
    if (entries != null) return entries;
    List<Field> fields = new ArrayList<>();
    for (Field field : object.referenceType().visibleFields()) {
      if (!field.isStatic() && !field.isSynthetic()) fields.add(field);
    }
    List<Field> asked = fields.subList(Math.min(start, fields.size()), Math.min(start + most, fields.size()));
    Map<Field, Value> held = object.getValues(asked);
    for (Field field : asked) parts.put(field.name(), held.get(field));
    return parts;
  }

  static List<Value> slice(ArrayReference array, int start, int count) {
    int length = Math.max(0, Math.min(count, array.length() - start));
    return length == 0 ? List.of() : array.getValues(start, length);
  }

  private static Field boxed(ObjectReference object) {
    String name = object.referenceType().name();
    if (!name.matches("java\\.lang\\.(Integer|Long|Short|Byte|Character|Boolean|Float|Double)")) return null;
    return object.referenceType().fieldByName("value");
  }

  private static String enumName(ObjectReference object) {
    ReferenceType type = object.referenceType();
    if (!(type instanceof ClassType)) return null;
    ClassType above = ((ClassType) type).superclass();
    boolean constant = ((ClassType) type).isEnum() || (above != null && above.isEnum());
    Value name = constant ? object.getValue(type.fieldByName("name")) : null;
    return name instanceof StringReference ? ((StringReference) name).value() : null;
  }

  static boolean isThrowable(ReferenceType type) {
    for (ReferenceType at = type; at instanceof ClassType; at = ((ClassType) at).superclass()) {
      if (at.name().equals("java.lang.Throwable")) return true;
    }
    return false;
  }

  static String message(ObjectReference thrown) {
    Value message = thrown.getValue(thrown.referenceType().fieldByName("detailMessage"));
    return message instanceof StringReference ? ((StringReference) message).value() : "";
  }

  static ObjectReference cause(ObjectReference thrown) {
    Value cause = thrown.getValue(thrown.referenceType().fieldByName("cause"));
    return cause == null || cause.equals(thrown) ? null : (ObjectReference) cause;
  }

  static String describeThrowable(ObjectReference thrown) {
    String message = message(thrown);
    return shortName(thrown.referenceType()) + (message.isEmpty() ? "" : ": " + message);
  }

  static String typeName(Value value) {
    if (value == null) return "null";
    return value instanceof ObjectReference ? shortName(((ObjectReference) value).referenceType()) : value.type().name();
  }

  /** Without its package. */
  static String shortName(ReferenceType type) {
    if (type instanceof ArrayType) return ((ArrayType) type).componentTypeName().replaceAll("^.*\\.", "") + "[]";
    return type.name().replaceAll("^.*[.$](?=\\p{javaJavaIdentifierStart})", "");
  }
}
