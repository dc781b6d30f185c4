#include "base/error.h"

#include <array>
#include <cstddef>

namespace thru {

namespace {

constexpr std::array kNames = {
#define X(enumerator, name) std::string_view{name},
#include "base/error_codes.def"
#undef X
};

} // namespace

std::string_view error_name(ErrorCode code) {
    const auto index = static_cast<std::size_t>(code);
    return index < kNames.size() ? kNames.at(index) : std::string_view{"E_INTERNAL"};
}

ErrorCode error_from_name(std::string_view name) {
    for (std::size_t index = 0; index < kNames.size(); ++index) {
        if (kNames.at(index) == name) {
            return static_cast<ErrorCode>(index);
        }
    }
    return ErrorCode::Internal;
}

} // namespace thru
