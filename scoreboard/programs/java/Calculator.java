/** Formulas in cells: read, worked out, with circles found. */
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

class Calculator {
    private final Map<String, String> cells = new HashMap<>();
    private final Map<String, Integer> known = new HashMap<>();
    int worked = 0;

    void set(String name, String formula) {
        cells.put(name, formula);
        known.clear();
    }

    int value(String name) {
        return value(name, new HashSet<>());
    }

    private int value(String name, Set<String> open) {
        Integer before = known.get(name);
        if (before != null) {
            return before;
        }
        if (!open.add(name)) {
            throw new IllegalStateException("a circle at " + name);
        }
        String formula = cells.getOrDefault(name, "0");
        worked++;
        int result = evaluate(split(formula), open);
        open.remove(name);
        known.put(name, result);
        return result;
    }

    static List<String> split(String formula) {
        List<String> parts = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (char c : formula.toCharArray()) {
            if (Character.isLetterOrDigit(c)) {
                word.append(c);
                continue;
            }
            if (word.length() > 0) {
                parts.add(word.toString());
                word.setLength(0);
            }
            if (c != ' ') {
                parts.add(String.valueOf(c));
            }
        }
        if (word.length() > 0) {
            parts.add(word.toString());
        }
        return parts;
    }

    private int evaluate(List<String> parts, Set<String> open) {
        int sum = 0;
        int product = operand(parts.get(0), open);
        int sign = 1;
        for (int i = 1; i + 1 < parts.size(); i += 2) {
            String operator = parts.get(i);
            int next = operand(parts.get(i + 1), open);
            if (operator.equals("*")) {
                product *= next;
            } else if (operator.equals("/")) {
                product = next == 0 ? 0 : product / next;
            } else {
                sum += sign * product;
                product = next;
                sign = operator.equals("-") ? -1 : 1;
            }
        }
        return sum + sign * product;
    }

    private int operand(String text, Set<String> open) {
        if (Character.isDigit(text.charAt(0))) {
            return Integer.parseInt(text);
        }
        return value(text, open);
    }

    int total(String from, int count) {
        char column = from.charAt(0);
        int row = Integer.parseInt(from.substring(1));
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += value("" + column + (row + i));
        }
        return sum;
    }

    // driver

    static Calculator filled() {
        Calculator sheet = new Calculator();
        sheet.set("a1", "12");
        sheet.set("a2", "a1 * 2 - 3");
        sheet.set("a3", "a2 + a1 / 5 * 2 - 1 - 4");
        sheet.set("b1", "a3 - a2 * a1 + 7");
        sheet.set("c1", "c2 + 1");
        sheet.set("c2", "c1");
        return sheet;
    }

    public static void main(String[] args) {
        Calculator sheet = filled();
        System.out.println(sheet.value("a2") + " " + sheet.value("a3") + " " + sheet.value("b1"));
        System.out.println(sheet.total("a1", 4) + " " + sheet.worked);
        sheet.set("a1", "5");
        System.out.println(sheet.total("a1", 3) + " " + sheet.worked);
        try {
            System.out.println(sheet.value("c1"));
        } catch (IllegalStateException error) {
            System.out.println(error.getMessage());
        }
    }
}
