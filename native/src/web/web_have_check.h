// Compares bytes that a requester claims to have with a page's own file, which the page reads.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "crypto/digest.h"
#include "transfer/different_ranges.h"
#include "wire/control.h"

namespace thru {

/// Largest number of bytes that a page reads at once. A browser spends up to a millisecond on each
/// read.
inline constexpr std::uint64_t kWebReadBytes = 1 << 20;

/// A correct hash proves the claimed bytes if it covers all of them or the validator is current;
/// otherwise hashes of all bytes decide, as in the engine's HaveCheck.
class WebHaveCheck {
public:
    /// `current`: this file's validator.
    WebHaveCheck(const Have &have, const WireId &current);

    struct Answer {
        /// True: Confirm, except for `different`. False: Restart.
        bool same = false;
        std::vector<ByteRange> different;
    };
    struct Step {
        /// The next part of a Confirm, which ends the step.
        std::optional<std::vector<ByteRange>> part;
        /// Bytes to read and to pass to `take_bytes`; a length of 0 if none are needed.
        ByteRange read;
        /// Hashes that the requester must send first, from this offset on.
        std::optional<std::uint64_t> wants_extents;
        std::optional<Answer> answer;
    };
    /// Call it at first, after each part, and after each call below.
    Step next();
    void take_bytes(ByteView bytes);
    void take_extents(const Extents &extents);

    const Have &have() const { return have_; }

private:
    void end_run();
    void add_different(std::uint64_t end);

    Have have_;
    bool same_version_;
    /// All bytes are being compared.
    bool comparing_ = false;
    std::optional<bool> proven_;
    /// End of the bytes read.
    std::uint64_t read_;
    Blake3 hash_;
    std::deque<Extents::Run> runs_;
    /// The bytes of the present run so far are zero.
    bool zeros_ = true;
    /// End of the compared bytes.
    std::uint64_t compared_ = 0;
    std::uint64_t same_bytes_ = 0;
    DifferentRanges different_;
};

} // namespace thru
