// State that a share keeps across restarts of its program: previously admitted receivers can
// resume, and restarts allow no extra guesses.
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
/// Maximum number of wrong guesses in a record: runs in progress may exceed the budget.
inline constexpr std::uint32_t kMaxWrongRestored = 2 * kMaxWrongOfShare;

/// The resume keys of one receiver.
struct ResumeKeys {
    SecretKey key;
    /// The key of its latest connection, until the receiver proves that it has it.
    std::optional<SecretKey> next;
    /// It resumes an unfinished transfer, so its place is reserved.
    bool has_place = true;

    bool is_either(const SecretKey &one) const;
};

struct AdmissionRecord {
    /// The share's id, by which receivers recognize it when they resume.
    WireId share{};
    std::size_t wrong = 0;
    std::size_t wrong_of_share = 0;
    /// Oldest first, at most kMaxResumeKeys.
    std::vector<ResumeKeys> receivers;
};

} // namespace thru
