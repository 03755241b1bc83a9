//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ options: --stack 8000
//@ why:     ten calls are under way, each in the middle of a block with an array of 1,000 bytes
static char *kept;

static int down(int left) {
    int found = 0;
    if (left > 0) {
        char row[1000];
        row[0] = (char)left;
        kept = row;
        found = *kept;
        found += down(left - 1);
    }
    return found;
}

int main(void) {
    return down(10) == 55 ? 0 : 1;
}
