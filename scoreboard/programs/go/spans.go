// Lengths of time as people write them, and a week's plan.
package main

import (
	"fmt"
	"strconv"
	"strings"
)

var units = map[byte]int{'s': 1, 'm': 60, 'h': 3600, 'd': 86400}

func parse(text string) (int, error) {
	total := 0
	digits := ""
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ' ' {
			continue
		}
		if c >= '0' && c <= '9' {
			digits += string(c)
			continue
		}
		unit, ok := units[c]
		if !ok || digits == "" {
			return 0, fmt.Errorf("%q at %d", c, i)
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, err
		}
		total += n * unit
		digits = ""
	}
	if digits != "" {
		return 0, fmt.Errorf("%s has no unit", digits)
	}
	return total, nil
}

func format(seconds int) string {
	if seconds == 0 {
		return "0s"
	}
	var parts []string
	for _, unit := range []byte{'d', 'h', 'm', 's'} {
		size := units[unit]
		n := seconds / size
		if n == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%d%c", n, unit))
		seconds -= n * size
	}
	return strings.Join(parts, " ")
}

type Plan struct {
	Day   int
	Start int
	Long  int
}

func overlaps(a, b Plan) bool {
	if a.Day != b.Day {
		return false
	}
	return a.Start < b.Start+b.Long && b.Start < a.Start+a.Long
}

func conflicts(plans []Plan) [][2]int {
	var found [][2]int
	for i := range plans {
		for j := i + 1; j < len(plans); j++ {
			if overlaps(plans[i], plans[j]) {
				found = append(found, [2]int{i, j})
			}
		}
	}
	return found
}

func busiest(plans []Plan) (int, int) {
	var sums [7]int
	for _, plan := range plans {
		sums[plan.Day] += plan.Long
	}
	best := 0
	for day, sum := range sums {
		if sum > sums[best] {
			best = day
		}
	}
	return best, sums[best]
}

func moved(plans []Plan, days int) []Plan {
	copied := append([]Plan(nil), plans...)
	for i := range copied {
		copied[i].Day = (copied[i].Day + days) % 7
	}
	return copied
}

// driver

var PLANS = []Plan{{1, 9, 2}, {1, 10, 3}, {2, 8, 1}, {1, 13, 1}, {6, 7, 4}, {2, 8, 4}}

func main() {
	for _, text := range []string{"1h 30m", "2d4s", "90m", "5", "3x", ""} {
		seconds, err := parse(text)
		fmt.Println(seconds, err, format(seconds))
	}
	fmt.Println(conflicts(PLANS))
	fmt.Println(busiest(PLANS))
	fmt.Println(moved(PLANS, 2), PLANS)
}
