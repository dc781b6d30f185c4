// Compares what a receiver claims to have of a file with the file here, a bounded step at a time,
// so that other receivers' reads continue meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "crypto/digest.h"
#include "source/source_files.h"
#include "wire/control.h"

namespace thru {

/// Disk pool; one thread at a time.
class HaveCheck {
public:
    HaveCheck(std::shared_ptr<const SourceFiles> files, const Have &have);

    /// Reads kStepBytes at most. nullopt when there is more to read; else whether the receiver's
    /// bytes [hash_begin, offset) are the same as here. False also when the file changed or can't
    /// be read, and when the Have has neither validator nor bytes. Texts, too.
    std::optional<bool> step();

    /// Some 50 ms of a disk thread.
    static constexpr std::uint64_t kStepBytes = 64ULL << 20;

private:
    /// Whether the Have can be right at all.
    bool plausible() const;
    /// False when the bytes up to `end` can't be read.
    bool read_to(std::uint64_t end);

    std::shared_ptr<const SourceFiles> files_;
    Have have_;
    SourceFiles::OpenFile file_;
    bool settled_ = false;
    /// Hashed up to here.
    std::uint64_t next_;
    Blake3 hash_;
};

} // namespace thru
