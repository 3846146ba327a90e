import com.sun.jdi.ArrayReference;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.Field;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Java expressions in a stopped frame: names, fields, elements, calls, assignments and operators. Not: {@code new}, casts,
 * lambdas, method references, and statements.
 */
final class Evaluator {
  /** Something that has a value, or an assignable place of one. */
  interface Operand {
    Value get() throws Exception;

    default void set(Value value) throws Exception {
      throw new Failure("this cannot be assigned to");
    }
  }

  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message);
    }
  }

  private final Calls calls;
  private final Tokens tokens;

  Evaluator(Calls calls, String text) throws Failure {
    this.calls = calls;
    this.tokens = new Tokens(text);
  }

  static Value evaluate(Calls calls, String text) throws Exception {
    return place(calls, text).get();
  }

  static Operand place(Calls calls, String text) throws Exception {
    Evaluator evaluator = new Evaluator(calls, text);
    Operand result = evaluator.assignment();
    if (!evaluator.tokens.done()) throw new Failure("unexpected `" + evaluator.tokens.peek() + "`");
    return result;
  }

  private Operand assignment() throws Exception {
    Operand left = ternary();
    String operator = tokens.peek();
    if (!operator.matches("=|[-+*/%&|^]=")) return left;
    tokens.next();
    Value right = assignment().get();
    Value value = operator.equals("=") ? right : calls.binary(operator.substring(0, 1), left.get(), right);
    left.set(value);
    return left;
  }

  private Operand ternary() throws Exception {
    Operand condition = binary(0);
    if (!tokens.skip("?")) return condition;
    boolean first = truth(condition.get());
    // Both are read; only the one that holds may have effects.
    Operand yes = lazily(first, this::assignment);
    tokens.expect(":");
    Operand no = lazily(!first, this::ternary);
    return first ? yes : no;
  }

  private interface Part {
    Operand read() throws Exception;
  }

  private Operand lazily(boolean wanted, Part part) throws Exception {
    boolean before = calls.dry;
    calls.dry = before || !wanted;
    try {
      Value value = part.read().get();
      return () -> value;
    } finally {
      calls.dry = before;
    }
  }

  private static final String[][] LEVELS = {
    {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"},
    {"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"},
  };

  private Operand binary(int level) throws Exception {
    if (level == LEVELS.length) return unary();
    Operand left = binary(level + 1);
    for (String operator = tokens.peek(); isOneOf(operator, LEVELS[level]); operator = tokens.peek()) {
      tokens.next();
      if (operator.equals("instanceof")) {
        Value value = left.get();
        boolean is = calls.isInstance(value, qualified());
        left = () -> calls.vm.mirrorOf(is);
      } else if (level < 2) {
        boolean first = calls.dry || truth(left.get());
        boolean decided = first == operator.equals("||");
        Value right = lazily(!decided, () -> binary(level + 1)).get();
        boolean result = decided ? first : calls.dry || truth(right);
        left = () -> calls.vm.mirrorOf(result);
      } else {
        Value first = left.get();
        Value second = binary(level + 1).get();
        Value result = calls.binary(operator, first, second);
        left = () -> result;
      }
    }
    return left;
  }

  private static boolean isOneOf(String word, String[] words) {
    for (String one : words) if (one.equals(word)) return true;
    return false;
  }

  private String qualified() throws Failure {
    StringBuilder name = new StringBuilder(tokens.next());
    while (tokens.skip(".")) name.append('.').append(tokens.next());
    return name.toString();
  }

  private Operand unary() throws Exception {
    if (tokens.skip("!")) {
      boolean value = truth(unary().get());
      return () -> calls.vm.mirrorOf(!value);
    }
    if (tokens.skip("-")) {
      Value value = calls.binary("-", calls.vm.mirrorOf(0), unary().get());
      return () -> value;
    }
    if (tokens.skip("~")) {
      Value value = calls.binary("^", unary().get(), calls.vm.mirrorOf(-1));
      return () -> value;
    }
    return postfix();
  }

  private Operand postfix() throws Exception {
    Operand value = primary();
    for (; ; ) {
      if (tokens.skip(".")) {
        value = member(value.get(), tokens.next());
      } else if (tokens.skip("[")) {
        Value array = value.get();
        int index = (int) Calls.number(calls.unboxed(assignment().get()));
        tokens.expect("]");
        value = element(array, index);
      } else {
        return value;
      }
    }
  }

  private Operand primary() throws Exception {
    if (tokens.skip("(")) {
      Operand inner = assignment();
      tokens.expect(")");
      return inner;
    }
    Object literal = tokens.literal();
    if (literal != null) {
      Value value = calls.mirror(literal);
      return () -> value;
    }
    String name = tokens.next();
    if (name.equals("null")) return () -> null;
    if (name.equals("true") || name.equals("false")) return () -> calls.vm.mirrorOf(name.equals("true"));
    if (!Character.isJavaIdentifierStart(name.charAt(0))) throw new Failure("unexpected `" + name + "`");
    StackFrame frame = calls.frame();
    if (name.equals("this")) return frame::thisObject;
    if (name.equals("new")) throw new Failure("`new` is not supported here");
    if (tokens.peek().equals("(")) {
      Value result = calls.method(frame.thisObject(), frame.location().declaringType(), name, arguments());
      return () -> result;
    }
    return variable(frame, name);
  }

  private Operand variable(StackFrame frame, String name) throws Exception {
    LocalVariable local = calls.local(frame, name);
    if (local != null) {
      return new Operand() {
        public Value get() throws Exception {
          StackFrame now = calls.frame();
          return now.getValue(calls.local(now, name));
        }

        public void set(Value value) throws Exception {
          StackFrame now = calls.frame();
          LocalVariable target = calls.local(now, name);
          if (!calls.dry) now.setValue(target, calls.converted(value, target.type()));
        }
      };
    }
    ReferenceType own = frame.location().declaringType();
    Field field = own.fieldByName(name);
    if (field != null) return field(frame.thisObject(), own, field);
    ObjectReference outer = calls.outerWith(frame.thisObject(), name);
    if (outer != null) return field(outer, outer.referenceType(), outer.referenceType().fieldByName(name));
    return className(name);
  }

  /** A class, as far as its name goes; then one of its static members. */
  private Operand className(String first) throws Exception {
    StringBuilder name = new StringBuilder(first);
    for (; ; ) {
      ReferenceType type = calls.type(name.toString());
      if (!tokens.skip(".")) throw new Failure(name + (type == null ? " is not known here" : " is a class"));
      String member = tokens.next();
      if (type == null) {
        name.append('.').append(member);
        if (calls.type(name.toString()) == null && !tokens.peek().equals("."))
          throw new Failure(first + " is not known here");
        continue;
      }
      if (tokens.peek().equals("(")) {
        Value result = calls.method(null, type, member, arguments());
        return () -> result;
      }
      Field field = type.fieldByName(member);
      if (field == null) throw new Failure(type.name() + " has no field " + member);
      return field(null, type, field);
    }
  }

  private List<Value> arguments() throws Exception {
    List<Value> values = new ArrayList<>();
    tokens.expect("(");
    while (!tokens.skip(")")) {
      values.add(assignment().get());
      if (!tokens.peek().equals(")")) tokens.expect(",");
    }
    return values;
  }

  private Operand member(Value target, String name) throws Exception {
    boolean isCall = tokens.peek().equals("(");
    if (calls.dry && target == null) {
      if (isCall) arguments();
      return () -> null;
    }
    if (target == null) throw new Failure("null has no " + name);
    if (target instanceof ArrayReference && name.equals("length")) {
      int length = ((ArrayReference) target).length();
      return () -> calls.vm.mirrorOf(length);
    }
    if (!(target instanceof ObjectReference)) throw new Failure("a " + target.type().name() + " has no " + name);
    ObjectReference object = (ObjectReference) target;
    if (isCall) {
      Value result = calls.method(object, object.referenceType(), name, arguments());
      return () -> result;
    }
    Field field = object.referenceType().fieldByName(name);
    if (field == null) throw new Failure(object.referenceType().name() + " has no field " + name);
    return field(object, object.referenceType(), field);
  }

  private Operand field(ObjectReference object, ReferenceType type, Field field) throws Failure {
    if (!field.isStatic() && object == null) throw new Failure(field.name() + " needs an object, and this is static code");
    return new Operand() {
      public Value get() {
        return field.isStatic() ? type.getValue(field) : object.getValue(field);
      }

      public void set(Value value) throws Exception {
        if (!calls.dry) calls.setField(object, field, value);
      }
    };
  }

  private Operand element(Value array, int index) throws Failure {
    if (calls.dry && !(array instanceof ArrayReference)) return () -> null;
    if (!(array instanceof ArrayReference)) throw new Failure("only arrays have elements; a list has get(" + index + ")");
    ArrayReference elements = (ArrayReference) array;
    if (index < 0 || index >= elements.length())
      throw new Failure("index " + index + " is outside of an array of " + elements.length());
    return new Operand() {
      public Value get() {
        return elements.getValue(index);
      }

      public void set(Value value) throws Exception {
        if (!calls.dry) calls.setElement(elements, index, value);
      }
    };
  }

  private boolean truth(Value value) throws Exception {
    if (calls.dry) return true;
    Value plain = calls.unboxed(value);
    if (plain instanceof BooleanValue) return ((BooleanValue) plain).value();
    throw new Failure("not a boolean: " + (plain instanceof PrimitiveValue || plain instanceof StringReference ? plain : "an object"));
  }
}
