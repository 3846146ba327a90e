// The program that is measured: a loop that goes on for long enough, with a few locals.
package main

import "fmt"

func work(rounds int) int {
	total := 0
	for i := 0; i < rounds; i++ {
		total += i // @marker stop
		half := total / 2
		name := "few"
		if half > 1<<40 {
			fmt.Println(name)
		}
	}
	return total
}

func main() {
	fmt.Println(work(1000000))
}
