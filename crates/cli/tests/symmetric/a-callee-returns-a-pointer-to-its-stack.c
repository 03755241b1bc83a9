// memory: it is held, and gone, while others run
#include <pthread.h>
#include <semaphore.h>
sem_t go; int *sh; int k;
void *f(void *a){ return 0; }
void *g(void *a){ sem_wait(&go); *sh = 1; return 0; }
int *j(pthread_t t){ int s; sh = &s; int *r = &s; sem_post(&go); pthread_join(t,0); return r; }
int main(){ pthread_t a,b; sem_init(&go,0,0); pthread_create(&a,0,f,0); pthread_create(&b,0,g,0);
 int *r = j(a); pthread_join(b,0); if (r == 0) k = 1; return 0; }
