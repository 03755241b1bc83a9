// lock-misuse: to join a thread that others name is seen by them
#include <pthread.h>
pthread_t t[3]; pthread_t shared; int ready;
void *f(void *a){ return 0; }
void *w(void *a){ while(1); return 0; }
void *x(void *a){ pthread_detach(*(pthread_t*)&shared); return 0; }
int main(){ pthread_t a,k,b,c;
 pthread_create(&a,0,f,0); pthread_create(&k,0,f,0); pthread_create(&b,0,w,0);
 shared = k;
 pthread_create(&c,0,x,0);
 pthread_join(a,0); pthread_join(k,0); pthread_join(b,0); return 0; }
