//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   with O_APPEND each write is one step (POSIX, write), whoever comes first
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *append(void *record) {
    write(file, record, 2);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    char bytes[4];
    file = open("log", O_RDWR | O_CREAT | O_APPEND, 0600);
    pthread_create(&one, NULL, append, "aa");
    pthread_create(&two, NULL, append, "bb");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(pread(file, bytes, 4, 0) == 4);
    assert(bytes[0] == bytes[1] && bytes[2] == bytes[3]);
    return 0;
}
