// Data written to part files since the last commit.
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
        /// Hash of its data; only with ReceiveOptions::verify.
        std::optional<ShortHash> hash;
    };
    /// Hash of all members' data together.
    ShortHash hash{};
    std::vector<Member> members;
    /// True if the hash covers exactly the members.
    bool complete = false;
};

struct DirtyPart {
    std::shared_ptr<LargePart> part;
    /// Verified, but not known to be durable.
    std::vector<Extent> extents;
    /// Lost data that was logged as progress but not verified: begin to end.
    std::map<std::uint64_t, std::uint64_t> progress;
};

/// Data that one commit makes durable.
struct DirtyData {
    /// The journal's last record: this commit or an earlier one covers everything up to it.
    std::uint64_t last_record = 0;
    std::vector<Batch> batches;
    std::vector<DirtyPart> parts;
};

/// Not thread-safe: the ledger's lock guards it.
class DirtySet {
public:
    void add_batch(Batch batch);
    /// Also ends the progress that begins at the extent's offset.
    void add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// Removes the progress that begins there; returns its end, or nullopt if there is none.
    std::optional<std::uint64_t> end_progress(std::uint64_t index, std::uint64_t begin);
    /// A hole was cleared in the file.
    void touch(const std::shared_ptr<LargePart> &part);
    /// The large file was removed or published.
    void forget(std::uint64_t index);

    /// Takes everything but progress.
    DirtyData take();
    /// Takes all batches, and only these entries' large files.
    DirtyData take(const std::vector<std::uint64_t> &indexes);

    /// Number of failed syncs. Data being written during one no longer counts.
    std::uint64_t generation() const { return generation_; }
    /// `dirty` could not be synced. Adds the data written to its parts meanwhile, with their
    /// progress, or all written data if `everything`.
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
    std::unordered_map<std::uint64_t, Dirt> parts_;
    std::uint64_t generation_ = 0;
};

} // namespace thru
