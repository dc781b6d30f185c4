// Compares what a receiver claims to have of a file with the file here, a bounded step at a time,
// so that other receivers' reads continue meanwhile.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "crypto/digest.h"
#include "source/source_files.h"
#include "wire/control.h"

namespace thru {

/// One thread at a time.
class HaveCheck {
public:
    HaveCheck(std::shared_ptr<const SourceFiles> files, const Have &have);

    struct Answer {
        /// True: Confirm, except for what is `different`. False: Restart.
        bool same = false;
        std::vector<ByteRange> different;
        /// No answer yet: the receiver's hashes from this offset on are needed first.
        std::optional<std::uint64_t> wants_extents;
    };
    /// Reads kStepBytes and a segment at most; nullopt when there is more to read. The receiver's
    /// bytes are the same when the hash is of all of them and is right, or when it is right and the
    /// validator is the present one. Otherwise hashes of all its bytes decide. The answer is
    /// Restart also when the file changed or can't be read. Disk pool.
    std::optional<Answer> step();
    /// Takes the extents that `wants_extents` asked for; step() goes on. Any thread.
    void take(Extents extents);

    const Have &have() const { return have_; }

    /// Some 50 ms of a disk thread.
    static constexpr std::uint64_t kStepBytes = 64ULL << 20;

private:
    bool is_text_the_same(const std::string &content);
    bool is_same_version() const;
    Answer compare() const;
    std::optional<Answer> compare_some();
    bool is_the_same(const Extents::Run &run) const;
    void add_different(std::uint64_t length);
    /// False when the bytes up to `end` can't be read.
    bool read_to(std::uint64_t end);

    std::shared_ptr<const SourceFiles> files_;
    Have have_;
    SourceFiles::OpenFile file_;
    bool settled_ = false;
    /// The file changed while receivers had part of it: the validator proves nothing.
    bool changed_ = false;
    /// Hashed up to here.
    std::uint64_t next_;
    Blake3 hash_;
    /// All bytes are compared.
    bool comparing_ = false;
    std::deque<Extents::Run> runs_;
    /// Compared up to here.
    std::uint64_t compared_ = 0;
    std::uint64_t same_bytes_ = 0;
    std::vector<ByteRange> different_;
};

} // namespace thru
