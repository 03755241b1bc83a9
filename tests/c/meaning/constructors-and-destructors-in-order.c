// What runs before main and after it: by priority, then in the order of the text, and at the end backwards.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SAYS(name) static void name(void) { puts(#name); }

__attribute__((constructor)) SAYS(constructor_one)
__attribute__((constructor(200))) SAYS(constructor_200)
__attribute__((constructor(101))) SAYS(constructor_101)
__attribute__((destructor)) SAYS(destructor_one)
__attribute__((destructor(200))) SAYS(destructor_200)
__attribute__((destructor(101))) SAYS(destructor_101)

SAYS(init)
SAYS(init_151)
SAYS(fini)
SAYS(fini_150)
SAYS(preinit)
__attribute__((section(".init_array.00250"), used)) static void (*in_init)(void) = init;
__attribute__((section(".init_array.00151"), used)) static void (*in_init_151)(void) = init_151;
__attribute__((section(".fini_array.00250"), used)) static void (*in_fini)(void) = fini;
__attribute__((section(".fini_array.00150"), used)) static void (*in_fini_150)(void) = fini_150;
__attribute__((section(".preinit_array"), used)) static void (*in_preinit)(void) = preinit;

__attribute__((constructor)) SAYS(constructor_two)
__attribute__((destructor)) SAYS(destructor_two)

SAYS(early_handler)
SAYS(late_handler)

__attribute__((constructor(150))) static void registers(void) {
    puts("registers");
    atexit(early_handler);
}

static void *work(void *unused) {
    puts("work");
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(late_handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    puts("main");
    pthread_exit((void *)3);
}
