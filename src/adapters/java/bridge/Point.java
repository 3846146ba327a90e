import com.sun.jdi.Value;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.request.BreakpointRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A breakpoint that was asked for: a line of a file, or a method by name. */
final class Point {
  private static final Pattern COUNT = Pattern.compile("(==|>=|<=|>|<|%)?\\s*(\\d+)");
  private static final Pattern EMBEDDED = Pattern.compile("\\{([^{}]+)\\}");

  final int id;
  final String path;
  final int line;
  final String method;
  private final String condition;
  private final String hitCondition;
  private final String logMessage;
  /** Where the program starts; goes when it was hit. */
  boolean entry;
  /** The line it really is at; 0 while it is nowhere. */
  int boundLine;
  String message = "its class is not loaded yet";
  final List<BreakpointRequest> requests = new ArrayList<>();
  private int count;

  Point(int id, String path, Map<String, Object> asked) {
    this.id = id;
    this.path = path;
    Object at = asked.get("line");
    line = at == null ? 0 : ((Number) at).intValue();
    method = (String) asked.get("name");
    condition = (String) asked.get("condition");
    hitCondition = (String) asked.get("hitCondition");
    logMessage = (String) asked.get("logMessage");
  }

  boolean isSame(Point other) {
    return line == other.line
        && Objects.equals(path, other.path)
        && Objects.equals(method, other.method)
        && Objects.equals(condition, other.condition)
        && Objects.equals(hitCondition, other.hitCondition)
        && Objects.equals(logMessage, other.logMessage);
  }

  Map<String, Object> described() {
    boolean bound = !requests.isEmpty();
    Integer at = boundLine > 0 ? (Integer) boundLine : line > 0 ? (Integer) line : null;
    return Json.map("id", id, "verified", bound, "line", at, "message", bound ? null : message);
  }

  /** Whether the program is to stop; a message is printed on the way. */
  boolean stops(Calls calls, Wire wire) {
    if (condition != null && !holds(calls, wire)) return false;
    count++;
    if (!counted()) return false;
    if (logMessage == null) return true;
    Matcher embedded = EMBEDDED.matcher(logMessage);
    wire.say("console", embedded.replaceAll((found) -> Matcher.quoteReplacement(text(calls, found.group(1)))));
    return false;
  }

  private boolean holds(Calls calls, Wire wire) {
    try {
      Value value = calls.unboxed(Evaluator.evaluate(calls, condition));
      if (value instanceof BooleanValue) return ((BooleanValue) value).value();
      wire.say("important", "breakpoint condition `" + condition + "` is no boolean but " + Values.text(value));
    } catch (Exception failure) {
      wire.say("important", "breakpoint condition `" + condition + "`: " + Bridge.reason(failure));
    }
    return true;
  }

  private boolean counted() {
    Matcher asked = COUNT.matcher(hitCondition == null ? "" : hitCondition.trim());
    if (!asked.matches()) return true;
    int number = Integer.parseInt(asked.group(2));
    String operator = asked.group(1) == null ? "==" : asked.group(1);
    switch (operator) {
      case ">=": return count >= number;
      case "<=": return count <= number;
      case ">": return count > number;
      case "<": return count < number;
      case "%": return number > 0 && count % number == 0;
      default: return count == number;
    }
  }

  private static String text(Calls calls, String expression) {
    try {
      String text = Values.text(Evaluator.evaluate(calls, expression));
      return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
    } catch (Exception failure) {
      return "{" + expression + ": " + Bridge.reason(failure) + "}";
    }
  }
}
