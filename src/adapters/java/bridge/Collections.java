import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
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
      case "java.util.TreeMap": case "java.util.PriorityQueue": case "java.util.ImmutableCollections$SetN":
      case "java.util.ImmutableCollections$MapN":
        return number(object, "size");
      case "java.util.HashSet": case "java.util.LinkedHashSet": {
        ObjectReference map = child(object, "map");
        return map == null ? null : size(map);
      }
      case "java.util.TreeSet": {
        ObjectReference map = child(object, "m");
        return map == null ? null : size(map);
      }
      case "java.util.Arrays$ArrayList": return length(object, "a");
      case "java.util.ImmutableCollections$ListN": return length(object, "elements");
      case "java.util.ImmutableCollections$List12": case "java.util.ImmutableCollections$Set12": return few(object).size();
      case "java.util.ImmutableCollections$Map1": return 1;
      case "java.util.ArrayDeque": {
        Integer length = length(object, "elements"), head = number(object, "head"), tail = number(object, "tail");
        return length == null || length == 0 || head == null || tail == null ? null : Math.floorMod(tail - head, length);
      }
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
      case "java.util.TreeSet": {
        ObjectReference map = child(object, "m");
        if (map == null || !map.referenceType().name().equals("java.util.TreeMap")) return null;
        List<Value> keys = new ArrayList<>();
        for (ObjectReference node : sorted(map, start, count)) keys.add(get(node, "key"));
        return keys;
      }
      case "java.util.PriorityQueue": return array(object, "queue", start, Math.min(count, size(object) - start));
      case "java.util.ImmutableCollections$List12": case "java.util.ImmutableCollections$Set12": {
        List<Value> all = few(object);
        return all.subList(Math.min(start, all.size()), Math.min(start + count, all.size()));
      }
      case "java.util.ImmutableCollections$SetN": return filled(object, "elements", 1, start, count);
      case "java.util.ArrayDeque": return ring(object, start, count);
      default: return null;
    }
  }

  /** Of a map, by key; null for anything else. */
  static Map<String, Value> entries(ObjectReference object, int start, int count) {
    Map<String, Value> entries = new LinkedHashMap<>();
    switch (object.referenceType().name()) {
      case "java.util.HashMap": case "java.util.LinkedHashMap":
        for (ObjectReference node : nodes(object, start, count)) put(entries, get(node, "key"), get(node, "value"));
        return entries;
      case "java.util.TreeMap":
        for (ObjectReference node : sorted(object, start, count)) put(entries, get(node, "key"), get(node, "value"));
        return entries;
      case "java.util.ImmutableCollections$Map1":
        if (start == 0 && count > 0) put(entries, get(object, "k0"), get(object, "v0"));
        return entries;
      case "java.util.ImmutableCollections$MapN": {
        List<Value> both = filled(object, "table", 2, start, count);
        if (both == null) return null;
        for (int i = 0; i + 1 < both.size(); i += 2) put(entries, both.get(i), both.get(i + 1));
        return entries;
      }
      default: return null;
    }
  }

  /** Two keys may read the same: 1 and 1L. */
  private static void put(Map<String, Value> entries, Value key, Value value) {
    String name = Values.text(key);
    if (entries.containsKey(name)) name += " (" + Values.typeName(key) + ")";
    while (entries.containsKey(name)) name += "'";
    entries.put(name, value);
  }

  /** The one or two of the smallest lists and sets; where there is but one, the second is a stand-in. */
  private static List<Value> few(ObjectReference object) {
    List<Value> found = new ArrayList<>();
    found.add(get(object, "e0"));
    Value second = get(object, "e1");
    if (second != null && !second.equals(standIn(object))) found.add(second);
    return found;
  }

  private static Value standIn(ObjectReference object) {
    for (ReferenceType type : object.virtualMachine().classesByName("java.util.ImmutableCollections")) {
      Field field = type.fieldByName("EMPTY");
      if (field != null && field.isStatic()) return type.getValue(field);
    }
    return null;
  }

  /** Of a table with holes: what is there, in pairs for a map, in the order in which it stands there. */
  private static List<Value> filled(ObjectReference object, String field, int width, int start, int count) {
    Value table = get(object, field);
    if (!(table instanceof ArrayReference)) return null;
    List<Value> all = ((ArrayReference) table).getValues(), found = new ArrayList<>();
    int seen = 0;
    for (int i = 0; i + width <= all.size() && found.size() < (long) count * width; i += width)
      if (all.get(i) != null && seen++ >= start) found.addAll(all.subList(i, i + width));
    return found;
  }

  private static List<Value> ring(ObjectReference deque, int start, int count) {
    Integer size = size(deque), head = number(deque, "head");
    if (size == null || head == null) return null;
    List<Value> all = ((ArrayReference) get(deque, "elements")).getValues(), found = new ArrayList<>();
    for (int i = start; i < size && found.size() < count; i++) found.add(all.get((head + i) % all.size()));
    return found;
  }

  /** The nodes of a tree from the least to the greatest. */
  private static List<ObjectReference> sorted(ObjectReference map, int start, int count) {
    List<ObjectReference> found = new ArrayList<>();
    java.util.ArrayDeque<ObjectReference> open = new java.util.ArrayDeque<>();
    ObjectReference node = child(map, "root");
    for (int seen = 0; (node != null || !open.isEmpty()) && found.size() < count && seen < LONGEST_CHAIN; ) {
      for (; node != null && open.size() < LONGEST_CHAIN; node = child(node, "left")) open.push(node);
      ObjectReference next = open.pop();
      if (seen++ >= start) found.add(next);
      node = child(next, "right");
    }
    return found;
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
