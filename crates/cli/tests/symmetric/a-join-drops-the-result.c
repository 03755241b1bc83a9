// memory: whoever is joined with a block as its result takes it with it
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
/* lost via leak property as well */
void *f(void *a){ return malloc(4); }
void *h(void *a){ while(1){ } return 0; }
int main(){ pthread_t t[2]; pthread_create(&t[0],0,f,0); pthread_create(&t[1],0,h,0);
 for (int i=0;i<2;i++) pthread_join(t[i],0); return 0; }
