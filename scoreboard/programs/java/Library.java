/** Books lent to readers, with a queue for those that are out, and fines. */
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Library {
    static final int DAYS = 14;

    record Loan(String reader, int due) {}

    private final Map<String, Loan> loans = new TreeMap<>();
    private final Map<String, Deque<String>> queues = new HashMap<>();
    private final Map<String, Integer> fines = new TreeMap<>();
    private final List<String> log = new ArrayList<>();

    boolean lend(String book, String reader, int today) {
        Loan loan = loans.get(book);
        if (loan != null) {
            Deque<String> queue = queues.computeIfAbsent(book, name -> new ArrayDeque<>());
            if (!queue.contains(reader) && !loan.reader().equals(reader)) {
                queue.addLast(reader);
            }
            log.add(reader + " waits for " + book);
            return false;
        }
        if (fine(reader) > 50) {
            log.add(reader + " must pay");
            return false;
        }
        loans.put(book, new Loan(reader, today + DAYS));
        log.add(reader + " has " + book);
        return true;
    }

    int giveBack(String book, int today) {
        Loan loan = loans.remove(book);
        if (loan == null) {
            return 0;
        }
        int late = Math.max(0, today - loan.due());
        int fine = late * 10;
        if (late > 7) {
            fine += 25;
        }
        if (fine > 0) {
            fines.merge(loan.reader(), fine, Integer::sum);
        }
        Deque<String> queue = queues.get(book);
        while (queue != null && !queue.isEmpty()) {
            String next = queue.pollFirst();
            if (lend(book, next, today)) {
                break;
            }
        }
        return fine;
    }

    int fine(String reader) {
        return fines.getOrDefault(reader, 0);
    }

    List<String> overdue(int today) {
        List<String> books = new ArrayList<>();
        for (Map.Entry<String, Loan> entry : loans.entrySet()) {
            int days = today - entry.getValue().due();
            if (days > 0) {
                books.add(entry.getKey() + ":" + days);
            }
        }
        return books;
    }

    List<String> log() {
        return new ArrayList<>(log);
    }

    // driver

    static Library scenario() {
        Library library = new Library();
        library.lend("atlas", "ann", 1);
        library.lend("atlas", "bob", 2);
        library.lend("atlas", "bob", 3);
        library.lend("atlas", "ann", 4);
        library.lend("novel", "cid", 3);
        library.giveBack("atlas", 24);
        library.lend("novel", "ann", 25);
        library.giveBack("novel", 19);
        library.lend("poems", "ann", 30);
        library.lend("poems", "cid", 31);
        return library;
    }

    public static void main(String[] args) {
        Library library = scenario();
        library.log().clear();
        System.out.println(String.join("\n", library.log()));
        System.out.println(library.fine("ann") + " " + library.fine("cid"));
        System.out.println(library.overdue(38) + " " + library.overdue(40) + " " + library.overdue(46));
    }
}
