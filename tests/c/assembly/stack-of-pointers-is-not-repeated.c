//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a push that fails is given up, and its node is lost
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *top;

static bool cas_pointer(void *target, void *compare, void *set) {
    bool z;
    __asm__ __volatile__("lock " "cmpxchgq %2, %0; setz %1"
                         : "+m"(*(uint64_t *)target), "=a"(z)
                         : "q"(set), "a"(compare)
                         : "memory", "cc");
    return z;
}

static void *load_pointer(const void *target) {
    void *r;
    __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(*(const uint64_t *)target) : "memory");
    return r;
}

static void *work(void *unused) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    node->next = load_pointer(&top);
    if (!cas_pointer(&top, node->next, node))
        free(node);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    int sum = 0;
    while (top) {
        struct node *next = top->next;
        sum += top->value;
        free(top);
        top = next;
    }
    assert(sum == 2);
    return 0;
}
