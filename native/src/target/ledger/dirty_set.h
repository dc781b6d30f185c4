// What was written to part files since the last commit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "journal/journal_record.h"
#include "target/part_store.h"

namespace thru {

/// Complete files from one segment.
struct Batch {
    struct Member {
        std::uint64_t index = 0;
        PartFile part;
        /// Hash of its data; only when files are read back.
        std::optional<ShortHash> hash;
    };
    /// Hash of all their data together.
    ShortHash hash{};
    std::vector<Member> members;
    /// The members are all that the hash is of.
    bool complete = false;
};

/// What was written to a large file.
struct DirtyPart {
    std::shared_ptr<LargePart> part;
    /// Verified, and not known to be durable.
    std::vector<Extent> extents;
    /// Logged as progress, not verified and lost: begins and ends.
    std::map<std::uint64_t, std::uint64_t> progress;
};

/// What one commit makes durable.
struct DirtyData {
    /// The journal's last record: everything logged up to it is in this commit or an earlier one.
    std::uint64_t last_record = 0;
    std::vector<Batch> batches;
    std::vector<DirtyPart> parts;
};

/// Not thread-safe: the ledger's lock guards it.
class DirtySet {
public:
    void add_batch(Batch batch);
    /// Ends the progress that begins where the extent does.
    void add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// Takes the progress that begins there back: its end, or nullopt when there is none.
    std::optional<std::uint64_t> end_progress(std::uint64_t index, std::uint64_t begin);
    /// A hole was cleared in it.
    void touch(const std::shared_ptr<LargePart> &part);
    /// The large file is removed or published.
    void forget(std::uint64_t index);

    /// Takes everything but progress.
    DirtyData take();
    /// Takes batches, and of large files those of these entries.
    DirtyData take(const std::vector<std::uint64_t> &indexes);

    /// Number of syncs that failed. Data that was being written meanwhile no longer counts.
    std::uint64_t generation() const { return generation_; }
    /// `dirty` could not be synced. Adds what was written to its parts meanwhile, with their
    /// progress, or everything that was written.
    void lose(DirtyData &dirty, bool everything);

private:
    struct Dirt {
        std::shared_ptr<LargePart> part;
        /// Written since the last commit.
        bool dirty = false;
        std::vector<Extent> extents;
        std::map<std::uint64_t, std::uint64_t> progress;
    };
    Dirt &of(const std::shared_ptr<LargePart> &part);
    static void take(Dirt &dirt, DirtyData &into);

    std::vector<Batch> batches_;
    /// By entry.
    std::unordered_map<std::uint64_t, Dirt> parts_;
    std::uint64_t generation_ = 0;
};

} // namespace thru
