#ifndef THRU_COMMON_RANDOM_H
#define THRU_COMMON_RANDOM_H

#include <stddef.h>

#include <CommonCrypto/CommonCryptoError.h>

typedef CCCryptorStatus CCRNGStatus;

#ifdef __cplusplus
extern "C"
#endif
    CCRNGStatus
    CCRandomGenerateBytes(void *bytes, size_t count);

#endif
