#include <raddle.h>

#include "pool.h"

static struct pool pool;
static int ran[3];

static void run(void *argument)
{
    int *own = argument;
    *own += 1;
}

RADDLE_TEST(every_task_runs_once)
{
    pool_start(&pool);
    bool first = pool_submit(&pool, run, &ran[0]);
    bool second = pool_submit(&pool, run, &ran[1]);
    pool_stop(&pool);
    raddle_assert(first && second);
    raddle_assert(ran[0] == 1 && ran[1] == 1);
}

RADDLE_TEST(what_has_no_room_does_not_run)
{
    bool taken[3];
    pool_start(&pool);
    for (int i = 0; i < 3; i++)
        taken[i] = pool_submit(&pool, run, &ran[i]);
    pool_stop(&pool);
    for (int i = 0; i < 3; i++)
        raddle_assert(ran[i] == taken[i]);
}

RADDLE_TEST(a_pool_without_work_stops)
{
    pool_start(&pool);
    pool_stop(&pool);
}
