#ifndef THRU_SYS_XATTR_H
#define THRU_SYS_XATTR_H

#include <sys/types.h>

#define XATTR_NOFOLLOW 0x0001
#define XATTR_CREATE 0x0002
#define XATTR_REPLACE 0x0004

#ifdef __cplusplus
extern "C" {
#endif

ssize_t fgetxattr(int file, const char *name, void *value, size_t size, u_int32_t position,
                  int options);
int fsetxattr(int file, const char *name, const void *value, size_t size, u_int32_t position,
              int options);
ssize_t flistxattr(int file, char *names, size_t size, int options);
int fremovexattr(int file, const char *name, int options);

#ifdef __cplusplus
}
#endif

#endif
