int printf(const char *, ...);
int main(void) {
    int x = 1;
    asm volatile("" ::: "memory");
    x++;
    __asm__ __volatile__("" : : : "memory");
    asm("");
    printf("%d\n", x);
    return 0;
}
