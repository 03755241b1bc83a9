//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   whatever an inner pointer names, an outer one names too, and all is freed in the end; gcc -fsanitize=address has nothing to say
#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 2; i++) {
        struct node *made = malloc(sizeof *made);
        made->next = list;
        made->value = i;
        list = made;
    }
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    assert(sum == 1);
    return 0;
}
