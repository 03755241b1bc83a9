int printf(const char *, ...);
int a;
int a;
int a = 3;
extern int b;
int b = 4;
extern int c;
static int d;
static int d = 6;
int arr[];
int arr[3] = {1, 2, 3};
extern int later[];
static int f(void);
int c = 5;
struct S;
extern struct S s;
struct S { int x; };
struct S s = {8};
int get(void) {
    extern int late;
    return late;
}
int late = 9;
int main(void) {
    extern int a;
    printf("%d %d %d %d %d\n", a, b, c, d, arr[2]);
    printf("%d %d %d %d\n", f(), s.x, get(), later[1]);
    {
        int a = 50;
        {
            extern int a;
            printf("%d\n", a);
        }
        printf("%d\n", a);
    }
    return 0;
}
static int f(void) { return 7; }
int later[2] = {10, 11};
