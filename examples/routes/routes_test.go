package routes

import (
	"reflect"
	"testing"
)

func TestWays(t *testing.T) {
	m := Map{
		"home":   {"park"},
		"park":   {"mill"},
		"mill":   {"hill"},
		"hill":   {"quay"},
		"quay":   {"bridge", "ferry"},
		"bridge": {"town"},
		"ferry":  {"town"},
	}
	got := m.Ways("quay", "town")
	want := [][]string{{"quay", "bridge", "town"}, {"quay", "ferry", "town"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("quay to town: %v", got)
	}
	if got = m.Ways("home", "town"); got[0][5] != "bridge" {
		t.Errorf("home to town: the first way goes by %s", got[0][5])
	}
}
