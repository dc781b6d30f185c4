#include <array>
#include <cerrno>

#include <sys/random.h>

#include "crypto/random.h"

namespace thru {

Result<> require_random() {
    std::array<std::uint8_t, 32> bytes{};
    if (getentropy(bytes.data(), bytes.size()) != 0) {
        return fail(ErrorCode::Internal, errno, "the system has no random numbers");
    }
    return {};
}

} // namespace thru
