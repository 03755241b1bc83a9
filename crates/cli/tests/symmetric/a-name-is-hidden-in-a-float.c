// assert: who holds it cannot be seen
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
void *f(void *a){ return 0; }
void *g(void *a){ x = 1; return 0; }
union u { pthread_t t; double d; } u;
int main(){ double d; pthread_t b; pthread_create(&u.t,0,f,0); 
 d = u.d; u.t = 0;
 pthread_create(&b,0,g,0); b = 0;
 u.d = d;
 pthread_join(u.t,0);
 assert(x == 1);
 return 0; }
