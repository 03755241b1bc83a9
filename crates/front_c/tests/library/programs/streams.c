#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    {
        int a = fopen("a", "r") == NULL;
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }
    {
        int a = fopen("a", "q") == NULL;
        int b = errno == EINVAL;
        printf("%d %d\n", a, b);
    }
    FILE *file = fopen("a", "w");
    {
        int a = fprintf(file, "%d %s\n", 12, "one");
        int b = fputs("two 3.5\n", file) >= 0;
        printf("%d %d\n", a, b);
    }
    {
        int a = fputc('x', file);
        int b = fwrite("yz\n", 1, 3, file);
        printf("%d %d\n", a, b);
    }
    printf("%ld\n", ftell(file));
    {
        int a = fgetc(file);
        int b = !!ferror(file);
        printf("%d %d\n", a, b);
    }
    clearerr(file);
    {
        int a = ferror(file);
        int b = fclose(file);
        printf("%d %d\n", a, b);
    }

    char line[20];
    file = fopen("a", "r");
    printf("%s", fgets(line, sizeof line, file));
    printf("%s|\n", fgets(line, 4, file));
    {
        int a = ungetc('T', file);
        int b = fgetc(file);
        printf("%c%c\n", a, b);
    }
    printf("%ld\n", ftell(file));
    ungetc('q', file);
    printf("%ld\n", ftell(file));
    {
        int a = fseek(file, -3, SEEK_END);
        int b = fread(line, 1, sizeof line, file);
        printf("%d %d\n", a, b);
    }
    {
        int b = !!feof(file);
        int c = fgetc(file);
        printf("%.3s%d %d\n", line, b, c);
    }
    rewind(file);
    printf("%d\n", feof(file));
    int number = 0, count;
    char word[10] = "";
    double real = 0;
    count = fscanf(file, "%d %9s", &number, word);
    printf("%d %d %s\n", count, number, word);
    count = fscanf(file, "%s %lf", word, &real);
    printf("%d %s %g\n", count, word, real);
    count = fscanf(file, "%d", &number);
    {
        int a = count;
        int b = fgetc(file);
        printf("%d %d\n", a, b);
    }
    count = fscanf(file, "yz%d", &number);
    {
        int a = count;
        int b = !!feof(file);
        printf("%d %d\n", a, b);
    }
    fclose(file);

    file = fopen("a", "a+");
    fputs("end", file);
    fflush(file);
    printf("%ld\n", ftell(file));
    rewind(file);
    char *text = NULL;
    size_t room = 0;
    long length;
    while ((length = getline(&text, &room, file)) > 0)
        printf("%ld %d %s\n", length, room > (size_t)length, text);
    free(text);
    fclose(file);

    int ends[2];
    pipe(ends);
    FILE *from = fdopen(ends[0], "r"), *to = fdopen(ends[1], "w");
    fprintf(to, "through\na pipe");
    fclose(to);
    while (fgets(line, sizeof line, from))
        {
            int a = strlen(line);
            printf("%d %s\n", a, line);
        }
    {
        int a = !!feof(from);
        int b = ferror(from);
        printf("%d %d\n", a, b);
    }
    fclose(from);

    file = tmpfile();
    fwrite("0123456789", 1, 10, file);
    fseek(file, 4, SEEK_SET);
    fputc('X', file);
    rewind(file);
    {
        int a = fread(line, 2, 6, file);
        printf("%d %.10s\n", a, line);
    }
    fclose(file);
    file = fopen("a", "r+");
    setvbuf(file, NULL, _IONBF, 0);
    fputs("WW", file);
    FILE *again = fopen("a", "r");
    printf("%s", fgets(line, sizeof line, again));
    fclose(again);
    fclose(file);
    printf("%d\n", dprintf(1, "%d\n", 5));
    errno = ENOENT;
    printf("%m\n");
    return 0;
}
