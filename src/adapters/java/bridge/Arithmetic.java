/** Java's operators on numbers and booleans. */
final class Arithmetic {
  private Arithmetic() {}

  static boolean logic(String operator, boolean first, boolean second) throws Evaluator.Failure {
    switch (operator) {
      case "==": return first == second;
      case "!=": case "^": return first != second;
      case "&": return first & second;
      case "|": return first | second;
      default: throw new Evaluator.Failure("`" + operator + "` does not go with booleans");
    }
  }

  static Object real(String operator, double first, double second) throws Evaluator.Failure {
    switch (operator) {
      case "+": return first + second;
      case "-": return first - second;
      case "*": return first * second;
      case "/": return first / second;
      case "%": return first % second;
      case "==": return first == second;
      case "!=": return first != second;
      case "<": return first < second;
      case ">": return first > second;
      case "<=": return first <= second;
      case ">=": return first >= second;
      default: throw new Evaluator.Failure("`" + operator + "` does not go with " + first);
    }
  }

  static Object whole(String operator, long first, long second, boolean wide) throws Evaluator.Failure {
    switch (operator) {
      case "+": return first + second;
      case "-": return first - second;
      case "*": return first * second;
      case "/": case "%":
        if (second == 0) throw new Evaluator.Failure("division by zero");
        return operator.equals("/") ? first / second : first % second;
      case "&": return first & second;
      case "|": return first | second;
      case "^": return first ^ second;
      case "<<": return wide ? first << second : (long) ((int) first << second);
      case ">>": return wide ? first >> second : (long) ((int) first >> second);
      case ">>>": return wide ? first >>> second : (long) ((int) first >>> second);
      case "==": return first == second;
      case "!=": return first != second;
      case "<": return first < second;
      case ">": return first > second;
      case "<=": return first <= second;
      case ">=": return first >= second;
      default: throw new Evaluator.Failure("`" + operator + "` does not go with numbers");
    }
  }
}
