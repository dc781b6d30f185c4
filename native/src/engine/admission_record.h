// What a share remembers across restarts of its program, so that it admits again whom it admitted,
// and bears no more guesses than before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "crypto/secret_key.h"
#include "pairing/guess_budget.h"
#include "wire/control.h"

namespace thru {

/// Receivers that can resume without the share's words; the oldest are forgotten first.
inline constexpr std::size_t kMaxResumeKeys = 2000;
/// Wrong guesses of a record: a few runs that were under way when the budget was spent may still
/// count.
inline constexpr std::uint32_t kMaxWrongRestored = 2 * kMaxWrongOfShare;

/// The resume keys of one receiver.
struct ResumeKeys {
    SecretKey key;
    /// The key of its latest connection, until it has shown that it knows it.
    std::optional<SecretKey> next;
    /// It resumes an unfinished transfer, so its place is reserved.
    bool has_place = true;

    bool is_either(const SecretKey &one) const;
};

struct AdmissionRecord {
    /// The share's id: receivers that resume recognize the share by it.
    WireId share{};
    /// Wrong guesses at the present code, and at all codes of the share.
    std::size_t wrong = 0;
    std::size_t wrong_of_share = 0;
    /// Oldest first, at most kMaxResumeKeys.
    std::vector<ResumeKeys> receivers;
};

} // namespace thru
