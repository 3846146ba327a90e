package main

import (
	"reflect"
	"testing"
)

func TestScenario(t *testing.T) {
	c, got := scenario()
	if !reflect.DeepEqual(got, []int{1, 0, 9, 0}) {
		t.Fatalf("got %v", got)
	}
	if !reflect.DeepEqual(c.Keys(), []string{"a", "e", "d"}) {
		t.Fatalf("keys %v", c.Keys())
	}
	if !reflect.DeepEqual(c.stats, map[string]int{"hit": 2, "miss": 2, "out": 2}) {
		t.Fatalf("stats %v", c.stats)
	}
}

func TestMemo(t *testing.T) {
	c := NewCache(4)
	if got := memo(c, 12); got != 144 {
		t.Fatalf("got %d", got)
	}
	if len(c.Keys()) != 4 || c.stats["hit"] != 9 {
		t.Fatalf("%v %v", c.Keys(), c.stats)
	}
}
