// Orders matched against each other, by workers that share a book.
package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
)

type Order struct {
	ID    int
	Buy   bool
	Price int
	Count int
}

type Trade struct {
	Buyer  int
	Seller int
	Price  int
	Count  int
}

type Book struct {
	mu     sync.Mutex
	buys   []Order
	sells  []Order
	trades []Trade
}

var errCount = errors.New("nothing ordered")

func (b *Book) Place(order Order) ([]Trade, error) {
	if order.Count <= 0 {
		return nil, errCount
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var made []Trade
	if order.Buy {
		made = b.match(&order, &b.sells)
	} else {
		made = b.match(&order, &b.buys)
	}
	if order.Count > 0 {
		b.keep(order)
	}
	b.trades = append(b.trades, made...)
	return made, nil
}

func (b *Book) match(order *Order, others *[]Order) []Trade {
	var made []Trade
	for order.Count > 0 && len(*others) > 0 {
		best := &(*others)[0]
		if order.Buy && best.Price > order.Price || !order.Buy && best.Price < order.Price {
			break
		}
		count := min(order.Count, best.Count)
		trade := Trade{Buyer: order.ID, Seller: best.ID, Price: best.Price, Count: count}
		if !order.Buy {
			trade.Buyer, trade.Seller = best.ID, order.ID
		}
		made = append(made, trade)
		order.Count -= count
		best.Count -= count
		if best.Count == 0 {
			*others = (*others)[1:]
		}
	}
	return made
}

func (b *Book) keep(order Order) {
	if order.Buy {
		b.buys = append(b.buys, order)
		sort.SliceStable(b.buys, func(i, j int) bool { return b.buys[i].Price > b.buys[j].Price })
		return
	}
	b.sells = append(b.sells, order)
	sort.SliceStable(b.sells, func(i, j int) bool { return b.sells[i].Price < b.sells[j].Price })
}

func (b *Book) Volume() (int, int) {
	count, worth := 0, 0
	for _, trade := range b.trades {
		count += trade.Count
		worth += trade.Count * trade.Price
	}
	return count, worth
}

func spread(b *Book) int {
	if len(b.buys) == 0 || len(b.sells) == 0 {
		return -1
	}
	return b.sells[0].Price - b.buys[0].Price
}

func total(orders []Order, workers int) int {
	parts := make([]int, workers)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			for i := w; i < len(orders); i += workers {
				parts[w] += orders[i].Count
			}
		}(w)
	}
	wg.Wait()
	sum := 0
	for _, part := range parts {
		sum += part
	}
	return sum
}

// driver

var ORDERS = []Order{
	{1, false, 105, 10}, {2, false, 103, 5}, {3, true, 101, 8}, {4, true, 104, 7},
	{5, false, 100, 9}, {6, true, 105, 4}, {7, true, 99, 3}, {8, false, 110, 0},
}

func main() {
	book := &Book{}
	for _, order := range ORDERS {
		made, err := book.Place(order)
		fmt.Println(order.ID, made, err)
	}
	count, worth := book.Volume()
	fmt.Println(count, worth, spread(book), total(ORDERS, 3))
	fmt.Println(book.buys, book.sells)
}
