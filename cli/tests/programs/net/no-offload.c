/* Preloaded by tests: a system without UDP segmentation, which it refuses with the error REFUSAL, and without
 * coalescing of received datagrams. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

/* <netinet/udp.h> of older systems lacks the names. */
enum { udp_segment = 103, udp_gro = 104 };

#ifndef REFUSAL
#define REFUSAL EIO
#endif

/* Prints the refused feature once. */
static void tell(atomic_flag *told, const char *line, size_t size) {
    if (!atomic_flag_test_and_set(told) && write(STDOUT_FILENO, line, size) < 0) {
        _exit(1);
    }
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    static ssize_t (*real)(int, const struct msghdr *, int);
    static atomic_flag told = ATOMIC_FLAG_INIT;
    static const char line[] = "{\"type\":\"refused to split\"}\n";
    struct msghdr copy = *message;
    for (struct cmsghdr *each = CMSG_FIRSTHDR(&copy); each; each = CMSG_NXTHDR(&copy, each)) {
        if (each->cmsg_level == IPPROTO_UDP && each->cmsg_type == udp_segment) {
            tell(&told, line, sizeof line - 1);
            errno = REFUSAL;
            return -1;
        }
    }
    if (!real) {
        real = (ssize_t (*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
    }
    return real(descriptor, message, flags);
}

int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size) {
    static int (*real)(int, int, int, const void *, socklen_t);
    static atomic_flag told = ATOMIC_FLAG_INIT;
    static const char line[] = "{\"type\":\"refused to join\"}\n";
    if (level == IPPROTO_UDP && option == udp_gro) {
        tell(&told, line, sizeof line - 1);
        errno = ENOPROTOOPT;
        return -1;
    }
    if (!real) {
        real = (int (*)(int, int, int, const void *, socklen_t))dlsym(RTLD_NEXT, "setsockopt");
    }
    return real(descriptor, level, option, value, size);
}
