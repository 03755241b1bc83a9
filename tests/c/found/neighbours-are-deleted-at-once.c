//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the first node is taken out of the list while the link in it is changed, so the second stays although it was deleted, as in a public hash map
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct node {
    int key;
    _Atomic(struct node *) next;
};

static struct node second = {2, 0}, first = {1, &second};
static _Atomic(struct node *) head = &first;

static bool delete(int key) {
    for (;;) {
        _Atomic(struct node *) *link = &head;
        struct node *match = *link;
        while (match && match->key != key) {
            link = &match->next;
            match = *link;
        }
        if (!match)
            return false;
        if (atomic_compare_exchange_strong(link, &match, match->next))
            return true;
    }
}

static void *delete_first(void *unused) {
    delete(1);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, delete_first, 0);
    bool is_deleted = delete(2);
    pthread_join(other, 0);
    assert(!is_deleted || head != &second);
    return 0;
}
