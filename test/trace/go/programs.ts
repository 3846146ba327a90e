/** Go programs that are recorded, written where each test is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../support.ts";

export const PROGRAM = `package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
)

type Part struct {
	X    int
	Name string
	Next *Part
}

func work(i int, sum int, part *Part, names []string, any interface{}) int {
	local := sum + i
	half := float64(i) / 2
	var none *Part
	if i%2 == 0 {
		none = part
	}
	part.X = i + int(half) // @marker here
	_ = none
	return local
}

// nothing here @marker nothing

func worker(number int, gate *sync.Mutex, done *sync.WaitGroup) {
	gate.Lock()
	square := number * number
	fmt.Fprintln(os.Stderr, square) // @marker worker
	gate.Unlock()
	done.Done()
}

func main() {
	n := 5
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	part := &Part{Name: "hello", Next: &Part{X: 9}}
	sum := 0
	for i := 0; i < n; i++ {
		sum = work(i, sum%1000, part, []string{"a", "b"}, i)
	}
	fmt.Println(sum)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println("read", lines.Text())
	}
	if len(os.Args) > 2 && os.Args[2] == "spin" {
		for i := 0; ; i++ {
			fmt.Fprint(io.Discard, i) // @marker spin
		}
	}
	if len(os.Args) > 2 && os.Args[2] == "panic" {
		panic("no good")
	}
	if len(os.Args) > 2 && os.Args[2] == "threads" {
		var gate sync.Mutex
		var done sync.WaitGroup
		done.Add(3)
		for number := 1; number <= 3; number++ {
			go worker(number, &gate, &done)
		}
		done.Wait()
	}
	os.Exit(3)
}
`;

export interface Written {
  folder: string;
  source: string;
  line(marker: string): number;
}

export function written(text = PROGRAM): Written {
  const folder = scratch();
  const source = join(folder, "main.go");
  writeFileSync(source, text);
  const lines = readFileSync(source, "utf8").split("\n");
  return {
    folder,
    source,
    line: (marker) => lines.findIndex((one) => one.includes(`@marker ${marker}`)) + 1,
  };
}

/** Everything that a probe can be asked for, and the ways in which a name can mean something. */
export const KINDS = `package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"
)

type Color int

const (
	Red Color = iota
	Green
	Blue
)

type Flags uint8

const (
	One  Flags = 1
	Two  Flags = 2
	Four Flags = 4
)

type Name string

type Inner struct {
	S  int16
	Us uint32
}

type Base struct {
	Id    int64
	Inner *Inner
}

type Thing struct {
	Base
	*Inner
	X     int
	F     float32
	On    bool
	Label string
	List  []int32
	Grid  [2][3]uint16
	Next  *Thing
	Any   interface{}
	Tags  []Inner
}

var count int
var shared = Thing{X: 11, Label: "shared"}
var pointer = &shared
var floats = []float32{0, 1, 0.1, 3.4028235e38, 1e-45, 16777216, 123456.79, -2.5}

func (t *Thing) Bump(by int) int {
	before := t.X
	t.X += by // @marker method
	return before
}

func (t Thing) Get() int {
	return t.X * 2 // @marker value
}

func Pair[T int | string](first T, n int) T {
	twice := n * 2
	_ = twice
	return first // @marker generic
}

func each(yield func(int) bool) {
	for i := 0; i < 2; i++ {
		if !yield(i) {
			return
		}
	}
}

func work(i int, sum int64, t *Thing, rest ...string) (result int, err error) { // @marker entry
	i8, i16, i32 := int8(-i), int16(i*300), int32(-i*70000)
	u, u8, u16, u32, u64 := uint(i), uint8(250+i), uint16(65535-i), uint32(i), uint64(math.MaxUint64-uint64(i))
	up := uintptr(i)
	r, b := 'a'+rune(i), byte('b')
	odd := i%2 == 1
	f64 := []float64{0, 1, -0.1, 1e21, 1e-7, 123456789.125, math.Inf(1), math.NaN()}[i%8]
	f32 := floats[i%8]
	color, flags := Color(i), Flags(i)
	took := time.Duration(i) * time.Second
	name := Name(strings.Repeat("é", i))
	text := []string{"", "plain", "tab\\there \\"quoted\\" back\\\\slash\\n", "日本 \\x7f\\xff\\u200b\\U0001F600", strings.Repeat("long ", 120), "zero\\x00inside"}[i%6]
	array := [3]int{i, i * 2, -1}
	slice := array[:i%4]
	var none *Thing
	if i%3 == 1 {
		none = t
	}
	var maybe error
	if odd {
		maybe = errors.New("odd")
	}
	var table map[string]int
	if i > 2 {
		table = map[string]int{}
	}
	escaped := i * 3
	keep := &escaped
	pp := &t
	local := sum + int64(i)
	add := func(k int) int {
		local += int64(k) // @marker closure
		return int(local) + i
	}
	if i > 1 {
		local := text + "!"
		i := len(local)
		fmt.Sprint(local, i) // @marker shadow
	}
	count++
	result = add(i) + *keep // @marker here
	for n := range each {
		result += n // @marker range
	}
	use(i8, i16, i32, u, u8, u16, u32, u64, up, r, b, f64, f32, color, flags, took, name, slice, none, maybe, table, pp, rest)
	return result, maybe
}

// nothing here @marker nothing

func use(...interface{}) {}

func greet(who string, list []int, size float64, small int8) int { // @marker greet
	return len(who) + len(list) + int(size) + int(small)
}

func deep(n int) int {
	if n == 0 {
		return 0 // @marker deep
	}
	return deep(n-1) + 1
}

func main() {
	t := &Thing{X: 1, F: 0.3, On: true, Label: "hé", List: []int32{-1, 2}, Any: 3}
	t.Id, t.Base.Inner = 1<<40, &Inner{S: -7}
	t.Inner = &Inner{S: 8, Us: 9}
	t.Grid[1][2] = 77
	t.Tags = []Inner{{S: 1}, {S: 2}}
	t.Next = &Thing{Label: "next"}
	sum := int64(0)
	for i := 0; i < 8; i++ {
		n, _ := work(i, sum%1000, t, "x", "y")
		sum += int64(n)
	}
	t.Bump(3)
	t.Get()
	Pair(4, 5)
	Pair("s", 6)
	deep(5)
	greet("you", []int{4, 5}, 2.5, -3)
	var done sync.WaitGroup
	for number := range 4 {
		done.Add(1)
		go func(by int) {
			defer done.Done()
			for round := 0; round < 50; round++ {
				use(number*100 + by + round) // @marker goroutine
			}
		}(number * 2)
	}
	done.Wait()
	fmt.Println(sum, shared.X, pointer.Label)
	os.Exit(3)
}
`;
