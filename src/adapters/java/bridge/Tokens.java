import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of an expression. */
final class Tokens {
  private static final Pattern WORD =
      Pattern.compile(
          "\\s*(?:(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)'|0[xX][0-9a-fA-F_]+[lL]?|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][-+]?\\d+)?[lLfFdD]?)"
              + "|(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*|>>>|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%&|^]=|[-+*/%&|^=<>!~?:.,()\\[\\]]))");

  private final List<String> words = new ArrayList<>();
  private final List<Boolean> literals = new ArrayList<>();
  private int at;

  Tokens(String text) throws Evaluator.Failure {
    Matcher matcher = WORD.matcher(text);
    int end = 0;
    while (end < text.length() && !text.substring(end).isBlank()) {
      if (!matcher.find(end) || matcher.start() != end)
        throw new Evaluator.Failure("cannot read `" + text.substring(end).trim() + "`");
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
      literals.add(matcher.group(1) != null);
      end = matcher.end();
    }
    if (words.isEmpty()) throw new Evaluator.Failure("there is no expression");
  }

  boolean done() {
    return at >= words.size();
  }

  /** Empty at the end, and for a literal. */
  String peek() {
    return done() || literals.get(at) ? "" : words.get(at);
  }

  String next() throws Evaluator.Failure {
    if (done()) throw new Evaluator.Failure("the expression ends too early");
    return words.get(at++);
  }

  boolean skip(String word) {
    if (!peek().equals(word)) return false;
    at++;
    return true;
  }

  void expect(String word) throws Evaluator.Failure {
    if (!skip(word)) throw new Evaluator.Failure("`" + word + "` expected" + (done() ? " at the end" : " before `" + words.get(at) + "`"));
  }

  /** A number, a character or a text; null if the next word is none. */
  Object literal() throws Evaluator.Failure {
    if (done() || !literals.get(at)) return null;
    String word = words.get(at++);
    if (word.startsWith("\"")) return unescaped(word.substring(1, word.length() - 1));
    if (word.startsWith("'")) return unescaped(word.substring(1, word.length() - 1)).charAt(0);
    String digits = word.replace("_", "").toLowerCase();
    try {
      if (digits.startsWith("0x")) {
        return digits.endsWith("l")
            ? (Object) Long.parseUnsignedLong(digits.substring(2, digits.length() - 1), 16)
            : (Object) Integer.parseUnsignedInt(digits.substring(2), 16);
      }
      if (digits.endsWith("l")) return Long.valueOf(digits.substring(0, digits.length() - 1));
      if (digits.endsWith("f")) return Float.valueOf(digits);
      if (digits.matches("\\d+")) return Integer.valueOf(digits);
      return Double.valueOf(digits);
    } catch (NumberFormatException wrong) {
      throw new Evaluator.Failure(word + " is too large, or not a number");
    }
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        out.append(c);
        continue;
      }
      c = text.charAt(++i);
      int known = "bfnrt0".indexOf(c);
      out.append(known < 0 ? c : "\b\f\n\r\t\0".charAt(known));
    }
    return out.toString();
  }
}
