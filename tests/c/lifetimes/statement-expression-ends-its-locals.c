//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   the braces of a statement expression are a block: `a` has ended when its address is used; gcc -fsanitize=address reports stack-use-after-scope
int main(void) {
    int *p = ({ int a = 3; &a; });
    return *p;
}
