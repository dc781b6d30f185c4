/* The header and the types of a DNS message (RFC 1035 section 4.1, RFC 2782 for SRV). */
#ifndef THRU_ARPA_NAMESER_H
#define THRU_ARPA_NAMESER_H

#include <stdint.h>
#include <sys/types.h>

#define C_IN 1

#define T_A 1
#define T_NS 2
#define T_CNAME 5
#define T_SOA 6
#define T_PTR 12
#define T_MX 15
#define T_TXT 16
#define T_AAAA 28
#define T_SRV 33

/* Both architectures of macOS are little-endian and allocate bit fields from the lowest bit. */
typedef struct {
    unsigned id : 16;
    unsigned rd : 1;
    unsigned tc : 1;
    unsigned aa : 1;
    unsigned opcode : 4;
    unsigned qr : 1;
    unsigned rcode : 4;
    unsigned cd : 1;
    unsigned ad : 1;
    unsigned unused : 1;
    unsigned ra : 1;
    unsigned qdcount : 16;
    unsigned ancount : 16;
    unsigned nscount : 16;
    unsigned arcount : 16;
} HEADER;

#define GETSHORT(value, at)                                                                        \
    do {                                                                                           \
        const u_char *bytes_ = (const u_char *)(at);                                               \
        (value) = (uint16_t)(bytes_[0] << 8 | bytes_[1]);                                          \
        (at) += 2;                                                                                 \
    } while (0)

#define GETLONG(value, at)                                                                         \
    do {                                                                                           \
        const u_char *bytes_ = (const u_char *)(at);                                               \
        (value) = (uint32_t)bytes_[0] << 24 | (uint32_t)bytes_[1] << 16 |                          \
                  (uint32_t)bytes_[2] << 8 | (uint32_t)bytes_[3];                                  \
        (at) += 4;                                                                                 \
    } while (0)

#endif
