// assert: who holds it cannot be seen
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
void *f(void *a){ return 0; }
void *g(void *a){ x = 1; return 0; }
struct { unsigned lo; int gap; unsigned hi; } h;
int main(){ pthread_t a,b; pthread_create(&a,0,f,0); 
 h.lo = (unsigned)a; h.hi = (unsigned)(a >> 32); a = 0;
 pthread_create(&b,0,g,0); b = 0;
 pthread_join((unsigned long)h.hi << 32 | h.lo,0);
 assert(x == 1);
 return 0; }
