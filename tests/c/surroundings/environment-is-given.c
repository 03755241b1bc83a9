//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --env THREADS=3 --env EMPTY= --env THREADSET=x
//@ why:     as by `env -i THREADS=3 EMPTY= THREADSET=x ./a.out`
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv, char **envp)
{
    assert(atoi(getenv("THREADS")) == 3);
    assert(strcmp(secure_getenv("EMPTY"), "") == 0);
    assert(!getenv("THREAD") && !getenv("HOME") && !getenv(""));
    assert(environ == envp && strcmp(environ[2], "THREADSET=x") == 0 && !environ[3]);
    return 0;
}
