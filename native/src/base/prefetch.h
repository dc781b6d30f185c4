// A hint to bring memory into the cache; compilers spell this builtin differently.
#pragma once

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace thru {

inline void prefetch_read(const void *address) {
#if defined(_MSC_VER)
    _mm_prefetch(static_cast<const char *>(address), _MM_HINT_T0);
#else
    __builtin_prefetch(address, 0, 3);
#endif
}

} // namespace thru
