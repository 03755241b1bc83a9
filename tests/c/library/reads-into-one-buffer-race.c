//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the file is shared without a race, the buffer is not
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static char buffer[1];

static void *reader(void *unused) {
    read(file, buffer, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    file = open("data", O_RDWR | O_CREAT, 0600);
    write(file, "ab", 2);
    lseek(file, 0, SEEK_SET);
    pthread_create(&thread, NULL, reader, NULL);
    read(file, buffer, 1);
    pthread_join(thread, NULL);
    return 0;
}
