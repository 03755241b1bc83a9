int printf(const char *, ...);
int main(void) {
    int x = 1;
    asm volatile("" ::: "memory");
    x++;
    __asm__ __volatile__("" : : : "memory");
    asm("");
    asm volatile("mfence" ::: "memory");
    asm volatile("rep; nop");
    asm volatile("pause\n\tlfence\n\tsfence");
    printf("%d\n", x);
    return 0;
}
