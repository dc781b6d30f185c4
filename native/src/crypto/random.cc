#include "crypto/random.h"

#include <sodium.h>

#include "crypto/libraries.h"

namespace thru {

// libsodium's default source is the system's CSPRNG (getrandom, RtlGenRandom).

void random_bytes(MutableByteView out) {
    prepare_sodium();
    randombytes_buf(out.data(), out.size());
}

std::uint32_t random_below(std::uint32_t bound) {
    prepare_sodium();
    return randombytes_uniform(bound);
}

} // namespace thru
