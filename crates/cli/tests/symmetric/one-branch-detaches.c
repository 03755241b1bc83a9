// lock-misuse: whom the joiner joins in a row depends on who is detached
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *f(void *a){ while(1); return 0; }
void *g(void *a){ while(1); return 0; }
int main(){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,g,0);
 if (__VERIFIER_nondet_int() == 5) pthread_detach(a);
 pthread_join(a,0); pthread_join(b,0); return 0; }
