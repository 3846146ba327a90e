package main

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int{"1h 30m": 5400, "2d4s": 172804, "90m": 5400, "": 0} {
		got, err := parse(text)
		if err != nil || got != want {
			t.Fatalf("%s: %d %v", text, got, err)
		}
	}
	for _, text := range []string{"5", "3x", "h"} {
		if _, err := parse(text); err == nil {
			t.Fatalf("%s: no error", text)
		}
	}
}

func TestFormat(t *testing.T) {
	for seconds, want := range map[int]string{0: "0s", 5400: "1h 30m", 172804: "2d 4s"} {
		if got := format(seconds); got != want {
			t.Fatalf("%d: %s", seconds, got)
		}
	}
}

func TestConflicts(t *testing.T) {
	got := conflicts(PLANS)
	if !reflect.DeepEqual(got, [][2]int{{0, 1}, {2, 5}}) {
		t.Fatalf("got %v", got)
	}
}

func TestBusiest(t *testing.T) {
	day, sum := busiest(PLANS)
	if day != 1 || sum != 6 {
		t.Fatalf("got %d %d", day, sum)
	}
}

func TestMoved(t *testing.T) {
	got := moved(PLANS, 2)
	if got[4].Day != 1 || got[0].Day != 3 || PLANS[0].Day != 1 {
		t.Fatalf("got %v from %v", got, PLANS)
	}
}
