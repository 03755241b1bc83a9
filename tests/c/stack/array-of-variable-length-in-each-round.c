//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --stack 8000
//@ why:     the array of each round of the loop gives its room back when the round ends (C11 6.2.4p7): ten of 1,000 bytes, one at a time
static int sum(int length) {
    int found = 0;
    for (int round = 0; round < 10; round++) {
        if (round == 9)
            break;
        char row[length];
        row[0] = (char)round;
        if (row[0] == 5)
            continue;
        found += row[0];
    }
    return found;
}

int main(void) {
    return sum(1000) == 31 ? 0 : 1;
}
