//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   the member is an object that is defined `const`, though the object around it is not (C11 6.7.3p6); gcc lets it through
struct account { const int id; int balance; };

static void rename(struct account *a) { *(int *)&a->id = 8; }

int main(void) {
    struct account a = { 7, 100 };
    a.balance = 50;
    rename(&a);
    return 0;
}
