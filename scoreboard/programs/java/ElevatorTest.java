class ElevatorTest {
    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
    }

    public static void main(String[] args) {
        Elevator elevator = Elevator.scenario();
        String log = String.join(", ", elevator.log());
        same("UP 0, UP 1, OPEN 2, UP 2, OPEN 3, UP 3, UP 4, OPEN 5, DOWN 5, DOWN 4, DOWN 3, DOWN 2, DOWN 1, OPEN 0, "
                + "IDLE 0, UP 0, UP 1, UP 2, UP 3", log);
        same(13, elevator.travelled());
        same(false, elevator.call(7));
    }
}
