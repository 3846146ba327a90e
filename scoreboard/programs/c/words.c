/* Words counted in a table of chains, the most frequent first. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 7
#define LONGEST 15

struct word {
    char text[LONGEST + 1];
    int count;
    struct word *next;
};

struct table {
    struct word *buckets[BUCKETS];
    int words;
};

unsigned hash(const char *text) {
    unsigned sum = 5;
    for (const char *at = text; *at; at++) {
        sum = sum * 31 + (unsigned char)*at;
    }
    return sum % BUCKETS;
}

struct word *find(struct table *table, const char *text) {
    struct word *word = table->buckets[hash(text)];
    while (word != NULL && strcmp(word->text, text) != 0) {
        word = word->next;
    }
    return word;
}

void add(struct table *table, const char *text) {
    struct word *word = find(table, text);
    if (word == NULL) {
        unsigned bucket = hash(text);
        word = calloc(1, sizeof *word);
        strcpy(word->text, text);
        word->next = table->buckets[bucket];
        table->buckets[bucket] = word;
        table->words++;
    }
    word->count++;
}

int read_words(struct table *table, const char *text) {
    char word[LONGEST + 1];
    int length = 0;
    int total = 0;
    for (const char *at = text;; at++) {
        if (isalpha((unsigned char)*at)) {
            if (length < LONGEST) {
                word[length] = (char)tolower((unsigned char)*at);
                length++;
            }
            continue;
        }
        if (length > 0) {
            word[length] = '\0';
            add(table, word);
            total++;
        }
        length = 0;
        if (*at == '\0') break;
    }
    return total;
}

int comes_first(const struct word *a, const struct word *b) {
    if (a->count != b->count) return a->count > b->count;
    return strcmp(a->text, b->text) < 0;
}

int ranked(struct table *table, struct word **list, int most) {
    int count = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        for (struct word *word = table->buckets[bucket]; word; word = word->next) {
            int at = count < most ? count : most;
            while (at > 0 && comes_first(word, list[at - 1])) {
                if (at < most) list[at] = list[at - 1];
                at--;
            }
            if (at < most) list[at] = word;
            if (count < most) count++;
        }
    }
    return count;
}

#ifndef TESTED
/* driver */
int main(void) {
    struct table table = {0};
    struct word *list[4];
    int total = read_words(&table, "The cat, the dog and the extraordinarilylongword; a dog and a cat. The end");
    int count = ranked(&table, list, 4);
    printf("%d %d %d\n", total, table.words, count);
    for (int i = 0; i < count; i++) printf("%s %d\n", list[i]->text, list[i]->count);
    printf("%s %d\n", find(&table, "extraordinarily")->text, find(&table, "bird") == NULL);
    return 0;
}
#endif
