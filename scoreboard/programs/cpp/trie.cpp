// Words in a tree of letters: completed, counted, forgotten.
#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Node {
    std::array<std::unique_ptr<Node>, 26> next;
    int count = 0;
    int below = 0;
};

class Trie {
  public:
    void add(const std::string &word) {
        Node *node = &root_;
        node->below++;
        for (char letter : word) {
            auto &child = node->next[letter - 'a'];
            if (!child) child = std::make_unique<Node>();
            node = child.get();
            node->below++;
        }
        node->count++;
    }

    const Node *find(const std::string &start) const {
        const Node *node = &root_;
        for (char letter : start) {
            node = node->next[letter - 'a'].get();
            if (node == nullptr) return nullptr;
        }
        return node;
    }

    int count(const std::string &word) const {
        const Node *node = find(word);
        return node == nullptr ? 0 : node->count;
    }

    bool remove(const std::string &word) {
        if (count(word) == 0) return false;
        Node *node = &root_;
        node->below--;
        for (char letter : word) {
            node = node->next[letter - 'a'].get();
            node->below--;
        }
        node->count--;
        return true;
    }

    std::vector<std::string> complete(const std::string &start, size_t most) const {
        std::vector<std::string> words;
        const Node *node = find(start);
        if (node != nullptr) collect(*node, start, most, words);
        return words;
    }

    std::string shared() const {
        std::string prefix;
        const Node *node = &root_;
        while (node->count == 0) {
            int only = -1;
            for (int i = 0; i < 26; i++) {
                const Node *child = node->next[i].get();
                if (child == nullptr || child->below == 0) continue;
                if (only >= 0) return prefix;
                only = i;
            }
            if (only < 0) break;
            prefix += static_cast<char>('a' + only);
            node = node->next[only].get();
        }
        return prefix;
    }

  private:
    static void collect(const Node &node, const std::string &word, size_t most, std::vector<std::string> &words) {
        if (words.size() >= most || node.below == 0) return;
        if (node.count > 0) words.push_back(word);
        for (int i = 0; i < 26; i++) {
            if (!node.next[i]) continue;
            std::string longer = word + static_cast<char>('a' + i);
            collect(*node.next[i], longer, most, words);
        }
    }

    Node root_;
};

#ifndef TESTED
// driver
int main() {
    Trie trie;
    for (const char *word : {"car", "card", "care", "cat", "car", "dog", "cards"}) trie.add(word);
    std::cout << trie.count("car") << trie.count("ca") << " " << trie.find("ca")->below << "\n";
    for (const auto &word : trie.complete("car", 3)) std::cout << word << " ";
    std::cout << trie.remove("dog") << trie.remove("dog") << " " << trie.shared() << "\n";
    trie.remove("cat");
    trie.remove("car");
    std::cout << trie.shared() << " " << trie.count("car") << " " << trie.complete("", 9).size() << "\n";
}
#endif
