/* Preloaded by tests: a disk that accepts data but never finishes flushing it. */
#include <unistd.h>

static int hang(void) {
    static const char line[] = "{\"type\":\"disk hangs\"}\n";
    if (write(STDOUT_FILENO, line, sizeof line - 1) < 0) {
        return -1;
    }
    for (;;) {
        pause();
    }
}

int fsync(int descriptor) {
    (void)descriptor;
    return hang();
}

int fdatasync(int descriptor) {
    (void)descriptor;
    return hang();
}

int syncfs(int descriptor) {
    (void)descriptor;
    return hang();
}
