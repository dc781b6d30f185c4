#ifndef THRU_COMMON_CRYPTO_ERROR_H
#define THRU_COMMON_CRYPTO_ERROR_H

#include <stdint.h>

typedef int32_t CCCryptorStatus;
typedef CCCryptorStatus CCStatus;

enum { kCCSuccess = 0 };

#endif
