/** Stations and lines: fewest changes, reachable stations, the busiest part. */
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

class Metro {
    private final Map<String, List<String>> lines = new LinkedHashMap<>();
    private final Map<String, Set<String>> next = new TreeMap<>();

    void line(String name, String... stations) {
        lines.put(name, List.of(stations));
        for (int i = 0; i + 1 < stations.length; i++) {
            next.computeIfAbsent(stations[i], key -> new TreeSet<>()).add(stations[i + 1]);
            next.computeIfAbsent(stations[i + 1], key -> new TreeSet<>()).add(stations[i]);
        }
    }

    List<String> route(String from, String to) {
        Map<String, String> before = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(from);
        before.put(from, from);
        while (!open.isEmpty()) {
            String station = open.poll();
            if (station.equals(to)) {
                break;
            }
            for (String other : next.getOrDefault(station, Set.of())) {
                if (before.containsKey(other)) {
                    continue;
                }
                before.put(other, station);
                open.add(other);
            }
        }
        if (!before.containsKey(to)) {
            return List.of();
        }
        List<String> path = new ArrayList<>();
        for (String at = to; !at.equals(from); at = before.get(at)) {
            path.add(at);
        }
        path.add(from);
        Collections.reverse(path);
        return path;
    }

    int changes(List<String> path) {
        int changes = 0;
        Set<String> usable = new HashSet<>(lines.keySet());
        for (int i = 0; i + 1 < path.size(); i++) {
            Set<String> here = linesBetween(path.get(i), path.get(i + 1));
            Set<String> kept = new HashSet<>(usable);
            kept.retainAll(here);
            if (kept.isEmpty()) {
                changes++;
                kept = here;
            }
            usable = kept;
        }
        return changes;
    }

    private Set<String> linesBetween(String a, String b) {
        Set<String> found = new HashSet<>();
        for (Map.Entry<String, List<String>> entry : lines.entrySet()) {
            List<String> stations = entry.getValue();
            int at = stations.indexOf(a);
            int other = stations.indexOf(b);
            if (at >= 0 && other >= 0 && Math.abs(at - other) == 1) {
                found.add(entry.getKey());
            }
        }
        return found;
    }

    int reachable(String from, int steps) {
        Set<String> seen = new HashSet<>();
        walk(from, steps, seen);
        return seen.size();
    }

    private void walk(String station, int steps, Set<String> seen) {
        seen.add(station);
        if (steps == 0) {
            return;
        }
        for (String other : next.getOrDefault(station, Set.of())) {
            walk(other, steps - 1, seen);
        }
    }

    List<String> hubs(int least) {
        List<String> hubs = new ArrayList<>();
        next.forEach((station, others) -> {
            if (others.size() >= least) {
                hubs.add(station);
            }
        });
        return hubs;
    }

    // driver

    static Metro built() {
        Metro metro = new Metro();
        metro.line("red", "north", "park", "centre", "south");
        metro.line("blue", "west", "centre", "east", "harbour");
        metro.line("green", "park", "museum", "east");
        metro.line("none", "island", "beach");
        return metro;
    }

    public static void main(String[] args) {
        Metro metro = built();
        List<String> path = metro.route("north", "harbour");
        System.out.println(path + " " + metro.changes(path));
        System.out.println(metro.changes(metro.route("west", "harbour")) + " " + metro.route("north", "beach"));
        System.out.println(metro.reachable("north", 2) + " " + metro.reachable("island", 5));
        System.out.println(metro.hubs(3));
    }
}
