// Compares a receiver's claimed bytes with this side's file, in steps so that other reads continue.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "crypto/digest.h"
#include "source/source_files.h"
#include "transfer/different_ranges.h"
#include "wire/control.h"

namespace thru {

/// One thread at a time.
class HaveCheck {
public:
    HaveCheck(std::shared_ptr<const SourceFiles> files, const Have &have);

    struct Answer {
        /// True: Confirm, except for `different`. False: Restart.
        bool same = false;
        /// No answer yet: the first or next part of a Confirm.
        bool is_part = false;
        std::vector<ByteRange> different;
        /// No answer yet: the receiver's hashes from this offset on are needed first.
        std::optional<std::uint64_t> wants_extents;
    };
    /// Reads at most kStepBytes and a segment; nullopt if more must be read. A correct hash proves
    /// the receiver's bytes if it covers all of them or the validator is current; otherwise hashes
    /// of all bytes decide. Also Restart if the file changed or can't be read. Disk pool.
    std::optional<Answer> step();
    /// Takes the extents requested by `wants_extents`; step() then continues. Any thread.
    void take(Extents extents);

    const Have &have() const { return have_; }

    /// About 50 ms of a disk thread.
    static constexpr std::uint64_t kStepBytes = 64ULL << 20;

private:
    bool is_text_the_same(const std::string &content);
    bool is_same_version() const;
    Answer compare() const;
    std::optional<Answer> compare_some();
    /// Compares the beginning of a run of zeros, up to and including the first block with data, and
    /// removes it from the run. Returns the cost, in bytes that could have been read instead.
    std::uint64_t compare_zeros(Extents::Run &left);
    void add_zeros(std::uint64_t length);
    bool is_the_same(const Extents::Run &run) const;
    void add_same(std::uint64_t length);
    void add_different(std::uint64_t length);
    /// False if the bytes up to `end` can't be read.
    bool read_to(std::uint64_t end);

    std::shared_ptr<const SourceFiles> files_;
    Have have_;
    SourceFiles::OpenFile file_;
    bool settled_ = false;
    /// The file changed after receivers got part of it: the validator proves nothing.
    bool changed_ = false;
    /// End of the hashed bytes.
    std::uint64_t next_;
    Blake3 hash_;
    /// All bytes are being compared.
    bool comparing_ = false;
    std::deque<Extents::Run> runs_;
    /// End of the compared bytes.
    std::uint64_t compared_ = 0;
    std::uint64_t same_bytes_ = 0;
    DifferentRanges different_;
};

} // namespace thru
