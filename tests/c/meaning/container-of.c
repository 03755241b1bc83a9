#include <stddef.h>
#include <stdio.h>
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
struct list { struct list *next, *prev; };
struct item { int id; struct list link; const char *name; };
static void add(struct list *head, struct list *l) {
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}
static void del(struct list *l) {
    l->prev->next = l->next;
    l->next->prev = l->prev;
}
int main(void) {
    struct list head = {&head, &head};
    struct item items[4] = {{1, {0}, "a"}, {2, {0}, "b"}, {3, {0}, "c"}, {4, {0}, "d"}};
    for (int i = 0; i < 4; i++)
        add(&head, &items[i].link);
    del(&items[2].link);
    for (struct list *l = head.next; l != &head; l = l->next) {
        struct item *it = container_of(l, struct item, link);
        printf("%d%s ", it->id, it->name);
    }
    printf("\n");
    return 0;
}
