#define TESTED
#include "trie.cpp"
#include <cassert>

int main() {
    Trie trie;
    for (const char *word : {"car", "card", "care", "cat", "car", "dog", "cards"}) trie.add(word);
    assert(trie.count("car") == 2);
    assert(trie.count("ca") == 0);
    assert(trie.find("ca")->below == 6);
    auto words = trie.complete("car", 3);
    assert(words.size() == 3);
    assert(words[0] == "car");
    assert(words[2] == "cards");
    assert(trie.remove("dog"));
    assert(!trie.remove("dog"));
    assert(trie.shared() == "ca");
    trie.remove("cat");
    trie.remove("car");
    assert(trie.shared() == "car");
    assert(trie.count("car") == 1);
    assert(trie.complete("", 9).size() == 4);
}
