//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe invariant=safe
//@ why:     what the pointers lead to is in order in every state
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};
static struct node second = {2, NULL}, first = {1, NULL};
static struct node *head = &first;
static int *last = &first.value;
//@ invariant head == 0 || head->value == 1 && (head->next == 0 || head->next->value == 2)
//@ invariant *last == last[0] && (!head->next || *last == 2)

int main(void) {
    last = &second.value;
    head->next = &second;
    head->next = NULL;
    last = &first.value;
    return 0;
}
