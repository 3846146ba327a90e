#define TESTED
#include "words.c"
#include <assert.h>

int main(void) {
    struct table table = {0};
    struct word *list[4];
    int total = read_words(&table, "The cat, the dog and the extraordinarilylongword; a dog and a cat. The end");
    assert(total == 14);
    assert(table.words == 7);
    struct word *the = find(&table, "the");
    assert(the != NULL);
    assert(the->count == 4);
    assert(find(&table, "extraordinarily") != NULL);
    assert(find(&table, "bird") == NULL);
    int count = ranked(&table, list, 4);
    assert(count == 4);
    assert(strcmp(list[0]->text, "the") == 0);
    assert(strcmp(list[1]->text, "a") == 0);
    assert(strcmp(list[2]->text, "and") == 0);
    assert(strcmp(list[3]->text, "cat") == 0);
    return 0;
}
