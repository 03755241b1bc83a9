//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   the world may change an object that is `const volatile`, the program may not (C11 6.7.3p6); gcc puts it where a write goes unnoticed
static const volatile int clock = 3;

int main(void) {
    *(volatile int *)&clock = 4;
    return 0;
}
