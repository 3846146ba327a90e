import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers and booleans. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    return new Json(text).value();
  }

  /** {@code map("a", 1, "b", 2)}; a null value is left out. */
  static Map<String, Object> map(Object... pairs) {
    Map<String, Object> made = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i + 1] != null) made.put((String) pairs[i], pairs[i + 1]);
    }
    return made;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof String) {
      quote((String) value, out);
    } else if (value instanceof Map) {
      out.append('{');
      String between = "";
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(between);
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
        between = ",";
      }
      out.append('}');
    } else if (value instanceof Iterable) {
      out.append('[');
      String between = "";
      for (Object item : (Iterable<?>) value) {
        out.append(between);
        write(item, out);
        between = ",";
      }
      out.append(']');
    } else {
      out.append(value); // a number, a boolean or null
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  private Object value() {
    blanks();
    char c = text.charAt(at);
    if (c == '{') return object();
    if (c == '[') return array();
    if (c == '"') return string();
    int from = at;
    while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
    String word = text.substring(from, at);
    if (word.equals("true")) return true;
    if (word.equals("false")) return false;
    if (word.equals("null")) return null;
    return Double.valueOf(word);
  }

  private Map<String, Object> object() {
    Map<String, Object> made = new LinkedHashMap<>();
    at++;
    for (blanks(); text.charAt(at) != '}'; blanks()) {
      if (text.charAt(at) == ',') {
        at++;
        continue;
      }
      String name = string();
      blanks();
      at++; // the colon
      made.put(name, value());
    }
    at++;
    return made;
  }

  private List<Object> array() {
    List<Object> made = new ArrayList<>();
    at++;
    for (blanks(); text.charAt(at) != ']'; blanks()) {
      if (text.charAt(at) == ',') at++;
      else made.add(value());
    }
    at++;
    return made;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    for (at++; text.charAt(at) != '"'; at++) {
      char c = text.charAt(at);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = text.charAt(++at);
      if (c == 'u') {
        out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
        at += 4;
      } else {
        int known = "bfnrt".indexOf(c);
        out.append(known < 0 ? c : "\b\f\n\r\t".charAt(known));
      }
    }
    at++;
    return out.toString();
  }

  private void blanks() {
    while (Character.isWhitespace(text.charAt(at))) at++;
  }
}
