int printf(const char *, ...);
static void named(void) { printf("%s %s\n", __func__, __FUNCTION__); }
#line 100 "other.c"
static int line(void) { return __LINE__; }
int main(void) {
    named();
    printf("%d %s\n", line(), __FILE__);
    printf("%s %d\n", __PRETTY_FUNCTION__, (int)sizeof __func__);
    return 0;
}
