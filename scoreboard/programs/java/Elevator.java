/** An elevator that serves calls on its way, as a machine of states. */
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

class Elevator {
    enum State { IDLE, UP, DOWN, OPEN }

    private final int top;
    private final TreeSet<Integer> calls = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    private State state = State.IDLE;
    private State heading = State.IDLE;
    private int floor = 0;
    private int travelled = 0;

    Elevator(int top) {
        this.top = top;
    }

    boolean call(int wanted) {
        if (wanted < 0 || wanted > top) {
            return false;
        }
        return calls.add(wanted);
    }

    void step() {
        switch (state) {
            case IDLE, OPEN -> choose();
            case UP -> move(1);
            case DOWN -> move(-1);
        }
        log.add(state + " " + floor);
    }

    private void choose() {
        if (calls.remove(floor)) {
            state = State.OPEN;
            return;
        }
        boolean above = calls.higher(floor) != null;
        boolean below = calls.lower(floor) != null;
        if (heading == State.UP && above) {
            state = State.UP;
        } else if (heading == State.DOWN && below) {
            state = State.DOWN;
        } else if (above) {
            state = State.UP;
        } else if (below) {
            state = State.DOWN;
        } else {
            state = State.IDLE;
        }
        heading = state;
    }

    private void move(int by) {
        floor += by;
        travelled++;
        if (calls.contains(floor)) {
            calls.remove(floor);
            state = State.OPEN;
            return;
        }
        if (by > 0 && calls.higher(floor) == null || by < 0 && calls.lower(floor) == null) {
            state = State.IDLE;
        }
    }

    int run(int most) {
        int steps = 0;
        while (steps < most) {
            step();
            steps++;
            if (state == State.IDLE && calls.isEmpty()) {
                break;
            }
        }
        return steps;
    }

    int travelled() {
        return travelled;
    }

    List<String> log() {
        return log;
    }

    // driver

    static Elevator scenario() {
        Elevator elevator = new Elevator(6);
        elevator.call(3);
        elevator.call(9);
        elevator.step();
        elevator.step();
        elevator.call(0);
        elevator.call(5);
        elevator.call(2);
        elevator.run(30);
        elevator.call(6);
        elevator.run(4);
        return elevator;
    }

    public static void main(String[] args) {
        Elevator elevator = scenario();
        System.out.println(elevator.log());
        System.out.println(elevator.travelled() + " " + elevator.call(7) + elevator.call(6) + elevator.call(6));
    }
}
