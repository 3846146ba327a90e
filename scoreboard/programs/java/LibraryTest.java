import java.util.List;

class LibraryTest {
    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
    }

    public static void main(String[] args) {
        Library library = Library.scenario();
        same(115, library.fine("ann"));
        same(20, library.fine("cid"));
        same(List.of(), library.overdue(38));
        same(List.of("atlas:2"), library.overdue(40));
        same(List.of("atlas:8", "poems:1"), library.overdue(46));
        library.log().clear();
        same("bob has atlas", library.log().get(5));
        same("ann must pay", library.log().get(7));
        same(10, library.log().size());
    }
}
