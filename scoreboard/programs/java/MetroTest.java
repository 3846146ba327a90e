import java.util.List;

class MetroTest {
    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
    }

    public static void main(String[] args) {
        Metro metro = Metro.built();
        List<String> path = metro.route("north", "harbour");
        same(List.of("north", "park", "centre", "east", "harbour"), path);
        same(1, metro.changes(path));
        same(0, metro.changes(metro.route("west", "harbour")));
        same(List.of(), metro.route("north", "beach"));
        same(4, metro.reachable("north", 2));
        same(2, metro.reachable("island", 5));
        same(List.of("centre", "east", "park"), metro.hubs(3));
    }
}
