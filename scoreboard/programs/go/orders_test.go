package main

import (
	"reflect"
	"testing"
)

func filled(t *testing.T) *Book {
	book := &Book{}
	for _, order := range ORDERS[:7] {
		if _, err := book.Place(order); err != nil {
			t.Fatal(err)
		}
	}
	return book
}

func TestTrades(t *testing.T) {
	book := filled(t)
	want := []Trade{{4, 2, 103, 5}, {4, 5, 104, 2}, {3, 5, 101, 7}, {6, 1, 105, 4}}
	if !reflect.DeepEqual(book.trades, want) {
		t.Fatalf("got %v", book.trades)
	}
}

func TestVolume(t *testing.T) {
	book := filled(t)
	count, worth := book.Volume()
	if count != 18 || worth != 1850 {
		t.Fatalf("got %d %d", count, worth)
	}
	if got := spread(book); got != 4 {
		t.Fatalf("spread %d", got)
	}
}

func TestRefused(t *testing.T) {
	book := &Book{}
	if _, err := book.Place(ORDERS[7]); err == nil {
		t.Fatal("no error")
	}
}

func TestTotal(t *testing.T) {
	if got := total(ORDERS, 3); got != 46 {
		t.Fatalf("got %d", got)
	}
}
