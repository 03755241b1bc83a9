//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     9 MB of locals do not fit into a stack of 8 MiB: gcc -O0's program ends with a segmentation fault
static void fill(char *p) { p[0] = 1; }

int main(void) {
    char large[9000000];
    fill(large);
    return large[0] - 1;
}
