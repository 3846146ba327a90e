package main

import (
	"reflect"
	"testing"
)

func TestRanked(t *testing.T) {
	words := split(TEXT)
	if len(words) != 16 {
		t.Fatalf("%d words", len(words))
	}
	list := ranked(counts(words, 3), 4)
	want := []Count{{"the", 5}, {"art", 2}, {"and", 1}, {"eat", 1}}
	if !reflect.DeepEqual(list, want) {
		t.Fatalf("got %v", list)
	}
}

func TestBars(t *testing.T) {
	lines := bars([]Count{{"the", 5}, {"art", 2}}, 10)
	if lines[0] != "the   |==========" || lines[1] != "art   |====" {
		t.Fatalf("got %q", lines)
	}
}

func TestAnagrams(t *testing.T) {
	got := anagrams([]string{"tea", "rat", "eat", "sea", "art", "tar"})
	want := [][]string{{"art", "rat", "tar"}, {"eat", "tea"}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v", got)
	}
}
