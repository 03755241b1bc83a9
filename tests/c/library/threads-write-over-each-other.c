//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each looks for the end and writes there in two steps; files do not race, but a record may be lost
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *append(void *record) {
    long end = lseek(file, 0, SEEK_END);
    pwrite(file, record, 2, end);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    file = open("log", O_RDWR | O_CREAT, 0600);
    pthread_create(&one, NULL, append, "aa");
    pthread_create(&two, NULL, append, "bb");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(lseek(file, 0, SEEK_END) == 4);
    return 0;
}
