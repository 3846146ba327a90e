// The program that is traced: as many hits as its argument says.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func work(rounds int) int {
	total := 0
	for i := 0; i < rounds; i++ {
		total += i // @marker stop
	}
	return total
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	fmt.Println(work(rounds))
}
