//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ options: --stack 8000
//@ why:     every call takes 1,000 bytes and none returns: gcc -O0's program ends with a segmentation fault
static int depth;
static int down(int *above) {
    int room[250];
    depth++;
    room[0] = above[0] + 1;
    return down(room) + room[0];
}

int main(void) {
    int start = 0;
    return down(&start);
}
