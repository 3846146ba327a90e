import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JDK's own collections by their fields. Others are shown as the objects they are. */
final class Collections {
  /** A map that was changed while it was read, or broken, must not be followed for ever. */
  private static final int LONGEST_CHAIN = 100_000;

  private Collections() {}

  /** How many, where there is a field that says so. */
  static Integer size(ObjectReference object) {
    switch (object.referenceType().name()) {
      case "java.util.ArrayList": case "java.util.LinkedList": case "java.util.HashMap": case "java.util.LinkedHashMap":
      case "java.util.TreeMap":
        return number(object, "size");
      case "java.util.HashSet": case "java.util.LinkedHashSet": {
        ObjectReference map = child(object, "map");
        return map == null ? null : size(map);
      }
      case "java.util.Arrays$ArrayList": return length(object, "a");
      case "java.util.ImmutableCollections$ListN": return length(object, "elements");
      default: return null;
    }
  }

  /** Of a list or a set; null for anything else. */
  static List<Value> elements(ObjectReference object, int start, int count) {
    switch (object.referenceType().name()) {
      case "java.util.ArrayList": return array(object, "elementData", start, Math.min(count, size(object) - start));
      case "java.util.Arrays$ArrayList": return array(object, "a", start, count);
      case "java.util.ImmutableCollections$ListN": return array(object, "elements", start, count);
      case "java.util.LinkedList": return linked(object, start, count);
      case "java.util.HashSet": case "java.util.LinkedHashSet": {
        List<Value> keys = new ArrayList<>();
        for (ObjectReference node : nodes(child(object, "map"), start, count)) keys.add(get(node, "key"));
        return keys;
      }
      default: return null;
    }
  }

  /** Of a map, by key; null for anything else. */
  static Map<String, Value> entries(ObjectReference object, int start, int count) {
    if (!object.referenceType().name().matches("java\\.util\\.(Linked)?HashMap")) return null;
    Map<String, Value> entries = new LinkedHashMap<>();
    for (ObjectReference node : nodes(object, start, count)) entries.put(Values.text(get(node, "key")), get(node, "value"));
    return entries;
  }

  /** In the order in which the program would meet them. */
  private static List<ObjectReference> nodes(ObjectReference map, int start, int count) {
    List<ObjectReference> found = new ArrayList<>();
    if (map == null || count <= 0) return found;
    int seen = 0;
    if (map.referenceType().fieldByName("head") != null) {
      ObjectReference node = child(map, "head");
      for (; node != null && found.size() < count && seen < LONGEST_CHAIN; node = child(node, "after"))
        if (seen++ >= start) found.add(node);
      return found;
    }
    Value table = get(map, "table");
    if (!(table instanceof ArrayReference)) return found;
    for (Value bucket : ((ArrayReference) table).getValues()) {
      ObjectReference node = (ObjectReference) bucket;
      for (; node != null && seen < LONGEST_CHAIN; node = child(node, "next")) {
        if (found.size() == count) return found;
        if (seen++ >= start) found.add(node);
      }
    }
    return found;
  }

  private static List<Value> linked(ObjectReference list, int start, int count) {
    List<Value> found = new ArrayList<>();
    int seen = 0;
    ObjectReference node = child(list, "first");
    for (; node != null && found.size() < count && seen < LONGEST_CHAIN; node = child(node, "next"))
      if (seen++ >= start) found.add(get(node, "item"));
    return found;
  }

  private static List<Value> array(ObjectReference object, String field, int start, int count) {
    Value array = get(object, field);
    return array instanceof ArrayReference ? Values.slice((ArrayReference) array, start, count) : null;
  }

  private static Integer length(ObjectReference object, String field) {
    Value array = get(object, field);
    return array instanceof ArrayReference ? ((ArrayReference) array).length() : null;
  }

  private static Integer number(ObjectReference object, String field) {
    Value value = get(object, field);
    return value instanceof IntegerValue ? ((IntegerValue) value).value() : null;
  }

  private static ObjectReference child(ObjectReference object, String field) {
    return (ObjectReference) get(object, field);
  }

  private static Value get(ObjectReference object, String name) {
    Field field = object.referenceType().fieldByName(name);
    return field == null ? null : object.getValue(field);
  }
}
