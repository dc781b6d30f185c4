/* Lines of /etc/fstab, by getfsent(3). */
#ifndef THRU_FSTAB_H
#define THRU_FSTAB_H

#define FSTAB_RW "rw"
#define FSTAB_RQ "rq"
#define FSTAB_RO "ro"
#define FSTAB_SW "sw"
#define FSTAB_XX "xx"

struct fstab {
    char *fs_spec;
    char *fs_file;
    char *fs_vfstype;
    char *fs_mntops;
    char *fs_type;
    int fs_freq;
    int fs_passno;
};

#ifdef __cplusplus
extern "C" {
#endif

struct fstab *getfsent(void);
struct fstab *getfsspec(const char *spec);
struct fstab *getfsfile(const char *file);
int setfsent(void);
void endfsent(void);

#ifdef __cplusplus
}
#endif

#endif
