import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** The JDK's large numbers by their fields, written as they would write themselves. */
final class Numbers {
  /** More digits than anybody reads. */
  private static final int MOST_WORDS = 500;

  private Numbers() {}

  /** Null for anything else, and for one that is not as it should be. */
  static String text(ObjectReference object) {
    Number number = read(object);
    return number == null ? null : number.toString();
  }

  private static Number read(ObjectReference object) {
    switch (object.referenceType().name()) {
      case "java.math.BigInteger": return integer(object);
      case "java.math.BigDecimal": return decimal(object);
      default: return null;
    }
  }

  private static BigInteger integer(ObjectReference object) {
    Value signum = get(object, "signum"), magnitude = get(object, "mag");
    if (!(signum instanceof IntegerValue) || !(magnitude instanceof ArrayReference)) return null;
    ArrayReference words = (ArrayReference) magnitude;
    if (words.length() > MOST_WORDS) return null;
    ByteBuffer bytes = ByteBuffer.allocate(4 * words.length());
    for (Value word : words.getValues()) bytes.putInt(((IntegerValue) word).value());
    return new BigInteger(((IntegerValue) signum).value(), bytes.array());
  }

  private static BigDecimal decimal(ObjectReference object) {
    Value scale = get(object, "scale"), large = get(object, "intVal"), small = get(object, "intCompact");
    if (!(scale instanceof IntegerValue) || !(small instanceof LongValue)) return null;
    long compact = ((LongValue) small).value();
    BigInteger unscaled =
        compact != Long.MIN_VALUE ? BigInteger.valueOf(compact) : large instanceof ObjectReference ? integer((ObjectReference) large) : null;
    return unscaled == null ? null : new BigDecimal(unscaled, ((IntegerValue) scale).value());
  }

  private static Value get(ObjectReference object, String name) {
    Field field = object.referenceType().fieldByName(name);
    return field == null ? null : object.getValue(field);
  }
}
