int printf(const char *, ...);
static int run(const unsigned char *code) {
    static const void *const ops[] = {&&push, &&add, &&mul, &&stop};
    int stack[8], sp = 0;
    goto *ops[*code++];
push:
    stack[sp++] = *code++;
    goto *ops[*code++];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    goto *ops[*code++];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    goto *ops[*code++];
stop:
    return stack[0];
}
int main(void) {
    unsigned char code[] = {0, 3, 0, 4, 1, 0, 5, 2, 3};
    printf("%d\n", run(code));
    void *p = &&one;
    int n = 0;
loop:
    goto *p;
one:
    printf("one ");
    p = &&two;
    goto loop;
two:
    printf("two ");
    p = n++ ? &&three : &&one;
    goto loop;
three:
    printf("three\n");
    return 0;
}
