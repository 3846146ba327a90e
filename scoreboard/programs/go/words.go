// Words of a text: counted, ranked, drawn as bars, and their anagrams.
package main

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
)

type Count struct {
	Word string
	N    int
}

func split(text string) []string {
	var words []string
	var word []rune
	for _, r := range text + " " {
		if unicode.IsLetter(r) || r == '\'' {
			word = append(word, unicode.ToLower(r))
			continue
		}
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	return words
}

func counts(words []string, least int) map[string]int {
	found := make(map[string]int)
	for _, word := range words {
		if len(word) < least {
			continue
		}
		found[word]++
	}
	return found
}

func ranked(found map[string]int, most int) []Count {
	var list []Count
	for word, n := range found {
		list = append(list, Count{word, n})
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].N != list[j].N {
			return list[i].N > list[j].N
		}
		return list[i].Word < list[j].Word
	})
	if len(list) > most {
		list = list[:most]
	}
	return list
}

func bars(list []Count, width int) []string {
	var lines []string
	top := list[0].N
	for _, one := range list {
		length := one.N * width / top
		bar := strings.Repeat("=", length)
		lines = append(lines, fmt.Sprintf("%-6s|%s", one.Word, bar))
	}
	return lines
}

func key(word string) string {
	letters := []rune(word)
	sort.Slice(letters, func(i, j int) bool { return letters[i] < letters[j] })
	return string(letters)
}

func anagrams(words []string) [][]string {
	groups := make(map[string][]string)
	for _, word := range words {
		k := key(word)
		groups[k] = append(groups[k], word)
	}
	var found [][]string
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		sort.Strings(group)
		found = append(found, group)
	}
	sort.Slice(found, func(i, j int) bool { return found[i][0] < found[j][0] })
	return found
}

// driver

const TEXT = "The tea and the eat of the rat; an art that isn't. The sea, the art!"

func main() {
	words := split(TEXT)
	list := ranked(counts(words, 3), 4)
	fmt.Println(len(words), list)
	fmt.Println(strings.Join(bars(list, 10), "\n"))
	fmt.Println(anagrams([]string{"tea", "rat", "eat", "sea", "art", "tar"}))
}
