int printf(const char *, ...);
int main(void) {
    printf("status\n");
    return 300;
}
