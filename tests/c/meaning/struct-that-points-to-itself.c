#include <stdio.h>
#include <stdlib.h>
struct Node { int v; struct Node *next; };
static struct Node *push(struct Node *head, int v) {
    struct Node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    return n;
}
static struct Node *reverse(struct Node *n) {
    struct Node *r = 0;
    while (n) {
        struct Node *next = n->next;
        n->next = r;
        r = n;
        n = next;
    }
    return r;
}
int main(void) {
    struct Node *head = NULL;
    for (int i = 0; i < 6; i++)
        head = push(head, i * i);
    head = reverse(head);
    int sum = 0;
    for (struct Node *n = head; n; n = n->next) {
        printf("%d ", n->v);
        sum += n->v;
    }
    printf("= %d\n", sum);
    while (head) {
        struct Node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
