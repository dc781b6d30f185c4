// Errors as values, for failures in normal use. A broken invariant is a bug, not an error.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace thru {

/// Stable codes for all errors; see error_codes.def.
enum class ErrorCode : std::uint8_t {
#define X(enumerator, name) enumerator,
#include "base/error_codes.def"
#undef X
};

/// The stable name, for example "E_DISK_FULL".
std::string_view error_name(ErrorCode code);

/// The code with this stable name, or Internal for an unknown name (a newer peer may have more).
ErrorCode error_from_name(std::string_view name);

/// An error and the number behind it, so that no cause is lost on the way up.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    /// errno, ngtcp2 code, TLS alert or QUIC application code; 0 without one.
    std::int64_t cause = 0;
    /// Shown in logs and Details panels, never alone.
    std::string detail;
};

/// The result of a function that can fail in normal use.
template <class T = void> using Result = std::expected<T, Error>;

/// Makes an error to return, as in `return fail(ErrorCode::DiskFull, errno, "write")`.
inline std::unexpected<Error> fail(ErrorCode code, std::int64_t cause = 0,
                                   std::string detail = {}) {
    return std::unexpected(Error{code, cause, std::move(detail)});
}

} // namespace thru
