//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the receiver has the message and disposes of the channel while the sender still holds one of its locks, as in a public library of channels
#include <pthread.h>

struct channel {
    pthread_mutex_t senders, lock;
    pthread_cond_t filled;
    int has_message, message;
};

static struct channel channel;

static void *send(void *unused) {
    pthread_mutex_lock(&channel.senders);
    pthread_mutex_lock(&channel.lock);
    channel.message = 7;
    channel.has_message = 1;
    pthread_cond_signal(&channel.filled);
    pthread_mutex_unlock(&channel.lock);
    pthread_mutex_unlock(&channel.senders);
    return unused;
}

int main(void) {
    pthread_mutex_init(&channel.senders, 0);
    pthread_mutex_init(&channel.lock, 0);
    pthread_cond_init(&channel.filled, 0);
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    pthread_mutex_lock(&channel.lock);
    while (!channel.has_message)
        pthread_cond_wait(&channel.filled, &channel.lock);
    pthread_mutex_unlock(&channel.lock);
    pthread_mutex_destroy(&channel.senders);
    pthread_mutex_destroy(&channel.lock);
    pthread_cond_destroy(&channel.filled);
    pthread_join(sender, 0);
    return 0;
}
