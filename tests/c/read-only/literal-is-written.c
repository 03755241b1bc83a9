//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   to modify a string literal is undefined (C11 6.4.5p7); built with gcc, the program dies of SIGSEGV
int main(void) {
    char *text = "abc";
    text[0] = 'x';
    return 0;
}
