#include <array>

#include <windows.h>
// This header needs windows.h before it.
#include <bcrypt.h>

#include "crypto/random.h"

namespace thru {

Result<> require_random() {
    std::array<std::uint8_t, 32> bytes{};
    const auto status = BCryptGenRandom(nullptr, bytes.data(), static_cast<ULONG>(bytes.size()),
                                        BCRYPT_USE_SYSTEM_PREFERRED_RNG);
    if (status < 0) {
        return fail(ErrorCode::Internal, status, "the system has no random numbers");
    }
    return {};
}

} // namespace thru
