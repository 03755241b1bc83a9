#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void) {
    char *text = malloc(6);
    memcpy(text, "hello", 6);
    text = realloc(text, 20);
    strcat(text, ", world");
    puts(text);
    text = realloc(text, 4);
    printf("%.4s\n", text);
    free(text);
    int *zeros = calloc(4, sizeof *zeros);
    printf("%d %d\n", zeros[0], zeros[3]);
    free(zeros);
    errno = 0;
    void *nothing = calloc(SIZE_MAX / 2, 4);
    printf("%d %d\n", nothing == NULL, errno == ENOMEM);
    // Pointers and undefined bytes pass through copies.
    struct node last = {NULL, 3}, first = {&last, 2}, copy;
    memcpy(&copy, &first, sizeof first);
    printf("%d %d\n", copy.value, copy.next->value);
    struct node *moved = malloc(2 * sizeof first);
    moved[0].next = &last;
    memmove(moved + 1, moved, sizeof first);
    printf("%d\n", moved[1].next->value);
    moved = realloc(moved, 3 * sizeof first);
    printf("%d\n", moved[1].next->value);
    free(moved);
    char overlapping[] = "abcdefgh";
    memmove(overlapping + 2, overlapping, 5);
    puts(overlapping);
    memmove(overlapping, overlapping + 3, 4);
    puts(overlapping);
    char *copied = strdup("a copy"), *part = strndup("a copy", 3);
    printf("%s|%s|\n", copied, part);
    free(copied);
    free(part);
    void *aligned = NULL;
    int status = posix_memalign(&aligned, 64, 10);
    printf("%d %d\n", status, aligned != NULL);
    free(aligned);
    free(NULL);
    return 0;
}
