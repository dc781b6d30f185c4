#include "key_agreement.h"

#include <cstdlib>
#include <ctime>

#include "crypto/cpace.h"

using namespace thru;

double cpace_seconds(std::uint64_t runs) {
    const CpaceInput input{as_bytes("apple-riverboat-stopwatch"), as_bytes("receiver to sender"),
                           as_bytes("0123456789abcdef")};
    const auto data = as_bytes("thirty-two bytes of a fingerprint");
    const Cpace peer{input};
    const auto begun = std::clock();
    for (std::uint64_t run = 0; run < runs; ++run) {
        Cpace own{input};
        if (!own.finish(Cpace::Role::Initiator, peer.share(), data, data)) {
            std::abort();
        }
    }
    return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}
