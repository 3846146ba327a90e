import java.util.List;

class CalculatorTest {
    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
    }

    public static void main(String[] args) {
        same(List.of("a1", "*", "20", "-", "b"), Calculator.split("a1 * 20-b"));
        Calculator sheet = Calculator.filled();
        same(21, sheet.value("a2"));
        same(20, sheet.value("a3"));
        same(-225, sheet.value("b1"));
        same(53, sheet.total("a1", 4));
        same(5, sheet.worked);
        sheet.set("a1", "5");
        same(16, sheet.total("a1", 3));
        String message = "";
        try {
            sheet.value("c1");
        } catch (IllegalStateException error) {
            message = error.getMessage();
        }
        same("a circle at c1", message);
    }
}
