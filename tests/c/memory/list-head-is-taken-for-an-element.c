//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      the head of a list is no part of an element, so the pointer computed at the end of the loop lies before
//@ why:      its object; it is never followed, so no memory is misused
#include <stddef.h>

struct link {
    struct link *next;
};

struct element {
    int datum;
    struct link link;
};

static struct link head;
static struct element only = {1, {&head}};

int main(void)
{
    head.next = &only.link;
    struct link *at = head.next;
    struct element *element = (struct element *)((char *)at - offsetof(struct element, link));
    while (&element->link != &head) {
        element->datum++;
        at = element->link.next;
        element = (struct element *)((char *)at - offsetof(struct element, link));
    }
    return 0;
}
