#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void show(const char *name) {
    char bytes[64];
    int file = open(name, O_RDONLY);
    long count = file < 0 ? -1 : read(file, bytes, sizeof bytes);
    printf("%s: %ld", name, count);
    for (long i = 0; i < count; i++)
        printf(" %d", bytes[i]);
    printf("\n");
    if (file >= 0)
        close(file);
}

int main(void) {
    struct stat status;
    {
        int a = open("a", O_RDONLY);
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }
    {
        int a = stat("a", &status);
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }
    {
        int a = access("a", F_OK);
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }

    int file = open("a", O_RDWR | O_CREAT | O_EXCL, 0600);
    printf("%d\n", file);
    {
        int a = open("a", O_RDWR | O_CREAT | O_EXCL, 0600);
        int b = errno == EEXIST;
        printf("%d %d\n", a, b);
    }
    printf("%ld\n", (long)write(file, "hello", 5));
    printf("%ld\n", (long)lseek(file, 1, SEEK_SET));
    char bytes[10] = "";
    {
        long a = read(file, bytes, 9);
        printf("%ld %s\n", a, bytes);
    }
    printf("%ld\n", (long)read(file, bytes, 9));
    {
        long a = lseek(file, 3, SEEK_END);
        long b = write(file, "x", 1);
        printf("%ld %ld\n", a, b);
    }
    show("a");
    {
        long a = pwrite(file, "EL", 2, 1);
        long b = pread(file, bytes, 4, 0);
        printf("%ld %ld\n", a, b);
    }
    {
        long b = lseek(file, 0, SEEK_CUR);
        printf("%.4s %ld\n", bytes, b);
    }
    {
        long a = lseek(file, -1, SEEK_SET);
        int b = errno == EINVAL;
        printf("%ld %d\n", a, b);
    }
    printf("%d\n", fstat(file, &status));
    {
        int a = status.st_size;
        int b = S_ISREG(status.st_mode);
        unsigned c = status.st_mode & 0777;
        long d = status.st_nlink;
        printf("%d %d %o %ld\n", a, b, c, d);
    }
    printf("%d\n", ftruncate(file, 3));
    show("a");
    printf("%d\n", ftruncate(file, 5));
    show("a");
    {
        int a = fsync(file);
        int b = fdatasync(file);
        printf("%d %d\n", a, b);
    }

    int other = dup(file);
    {
        int a = other;
        long b = lseek(other, 2, SEEK_SET);
        printf("%d %ld\n", a, b);
    }
    {
        long a = lseek(file, 0, SEEK_CUR);
        int b = dup2(file, 9);
        printf("%ld %d\n", a, b);
    }
    {
        int a = close(file);
        int b = close(other);
        int c = close(9);
        printf("%d %d %d\n", a, b, c);
    }
    {
        int a = close(file);
        int b = errno == EBADF;
        printf("%d %d\n", a, b);
    }
    {
        long a = write(file, "x", 1);
        int b = errno == EBADF;
        printf("%ld %d\n", a, b);
    }

    file = open("./a", O_WRONLY | O_APPEND);
    printf("%ld\n", (long)write(file, "yz", 2));
    {
        long a = read(file, bytes, 1);
        int b = errno == EBADF;
        printf("%ld %d\n", a, b);
    }
    struct iovec parts[] = {{"1", 1}, {"23", 2}};
    printf("%ld\n", (long)writev(file, parts, 2));
    {
        int a = fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND);
        int b = fcntl(file, F_GETFD);
        printf("%d %d\n", a, b);
    }
    {
        int a = fcntl(file, F_SETFD, FD_CLOEXEC);
        int b = fcntl(file, F_GETFD);
        printf("%d %d\n", a, b);
    }
    close(file);
    show("a");
    close(open("a", O_WRONLY | O_TRUNC));
    show("a");

    {
        int a = mkdir("d", 0755);
        int b = mkdir("d", 0755);
        printf("%d %d\n", a, b);
    }
    {
        int a = open("e/f", O_CREAT | O_WRONLY, 0600);
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }
    {
        int a = open("a/f", O_CREAT | O_WRONLY, 0600);
        int b = errno == ENOTDIR;
        printf("%d %d\n", a, b);
    }
    {
        int a = open("d", O_WRONLY);
        int b = errno == EISDIR;
        printf("%d %d\n", a, b);
    }
    close(creat("d//f", 0600));
    {
        int a = rmdir("d");
        int b = errno == ENOTEMPTY;
        printf("%d %d\n", a, b);
    }
    {
        int a = unlink("d");
        int b = errno == EISDIR;
        printf("%d %d\n", a, b);
    }
    {
        int a = rename("a", "d/b");
        int b = access("a", F_OK);
        printf("%d %d\n", a, b);
    }
    DIR *folder = opendir("d");
    int found = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        found += strcmp(entry->d_name, "b") == 0 || strcmp(entry->d_name, "f") == 0 ? 10 : 1;
    {
        int a = found;
        int b = closedir(folder);
        printf("%d %d\n", a, b);
    }
    {
        int a = unlink("d/f");
        int b = remove("d/b");
        int c = remove("d");
        printf("%d %d %d\n", a, b, c);
    }
    {
        int a = opendir("d") == NULL;
        int b = errno == ENOENT;
        printf("%d %d\n", a, b);
    }
    file = open("gone", O_RDWR | O_CREAT, 0600);
    {
        int a = unlink("gone");
        long b = write(file, "k", 1);
        long c = lseek(file, 0, SEEK_SET);
        printf("%d %ld %ld\n", a, b, c);
    }
    {
        long a = read(file, bytes, 1);
        int b = bytes[0];
        int c = access("gone", F_OK);
        printf("%ld %c %d\n", a, b, c);
    }
    close(file);
    char name[] = "t-XXXXXX";
    file = mkstemp(name);
    {
        int a = file;
        int b = name[2] != 'X';
        int c = unlink(name);
        printf("%d %d %d\n", a, b, c);
    }
    close(file);
    file = open("/dev/null", O_RDWR);
    {
        long a = write(file, "x", 1);
        long b = read(file, bytes, 1);
        printf("%ld %ld\n", a, b);
    }
    close(file);
    return 0;
}
