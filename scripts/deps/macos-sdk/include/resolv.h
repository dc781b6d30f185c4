#ifndef THRU_RESOLV_H
#define THRU_RESOLV_H

#include <sys/types.h>

/* The library exports these functions under names with its interface version, 9. */
#define dn_comp res_9_dn_comp
#define dn_expand res_9_dn_expand
#define dn_skipname res_9_dn_skipname
#define res_init res_9_init
#define res_query res_9_query

#ifdef __cplusplus
extern "C" {
#endif

int dn_comp(const char *name, u_char *packed, int size, u_char **known, u_char **last);
int dn_expand(const u_char *message, const u_char *end, const u_char *packed, char *name, int size);
int dn_skipname(const u_char *packed, const u_char *end);
int res_init(void);
int res_query(const char *name, int dns_class, int type, u_char *answer, int size);

#ifdef __cplusplus
}
#endif

#endif
