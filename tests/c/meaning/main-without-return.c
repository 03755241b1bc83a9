int printf(const char *, ...);
int main(void) {
    printf("falls off the end\n");
}
