// A cache of what was used last, as a list with a map into it.
package main

import (
	"fmt"
	"strings"
)

type node struct {
	key   string
	value int
	prev  *node
	next  *node
}

type Cache struct {
	size  int
	first *node
	last  *node
	nodes map[string]*node
	stats map[string]int
}

func NewCache(size int) *Cache {
	return &Cache{size: size, nodes: make(map[string]*node), stats: make(map[string]int)}
}

func (c *Cache) unlink(n *node) {
	if n.prev != nil {
		n.prev.next = n.next
	} else {
		c.first = n.next
	}
	if n.next != nil {
		n.next.prev = n.prev
	} else {
		c.last = n.prev
	}
	n.prev = nil
	n.next = nil
}

func (c *Cache) push(n *node) {
	n.next = c.first
	if c.first != nil {
		c.first.prev = n
	}
	c.first = n
	if c.last == nil {
		c.last = n
	}
}

func (c *Cache) Get(key string) (int, bool) {
	n, ok := c.nodes[key]
	if !ok {
		c.stats["miss"]++
		return 0, false
	}
	c.stats["hit"]++
	c.unlink(n)
	c.push(n)
	return n.value, true
}

func (c *Cache) Put(key string, value int) {
	if n, ok := c.nodes[key]; ok {
		n.value = value
		c.unlink(n)
		c.push(n)
		return
	}
	if len(c.nodes) >= c.size {
		old := c.last
		c.unlink(old)
		delete(c.nodes, old.key)
		c.stats["out"]++
	}
	n := &node{key: key, value: value}
	c.nodes[key] = n
	c.push(n)
}

func (c *Cache) Keys() []string {
	var keys []string
	for n := c.first; n != nil; n = n.next {
		keys = append(keys, n.key)
	}
	return keys
}

func memo(c *Cache, n int) int {
	if n < 2 {
		return n
	}
	name := fmt.Sprint("f", n)
	if value, ok := c.Get(name); ok {
		return value
	}
	value := memo(c, n-1) + memo(c, n-2)
	c.Put(name, value)
	return value
}

// driver

func scenario() (*Cache, []int) {
	c := NewCache(3)
	var got []int
	for _, word := range strings.Fields("a=1 b=2 a c=3 d=4 b a=9 e=5 a c") {
		key, text, set := strings.Cut(word, "=")
		if set {
			c.Put(key, int(text[0]-'0'))
			continue
		}
		value, _ := c.Get(key)
		got = append(got, value)
	}
	return c, got
}

func main() {
	c, got := scenario()
	fmt.Println(c.Keys(), got, c.stats, len(c.nodes))
	m := NewCache(4)
	fmt.Println(memo(m, 12), m.Keys(), m.stats)
}
