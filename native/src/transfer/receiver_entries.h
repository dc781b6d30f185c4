// The entries of a receive: the state of each, and what all of them add up to.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Sums over accepted files that were not removed.
struct ReceiverTotals {
    /// Verified and written, with what was present before.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    /// Files that are wanted and did not fail.
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
    /// Wanted files whose bytes are missing, or that are not published yet.
    std::uint64_t missing_files = 0;
    /// Files that were there before any attempt to receive them.
    std::uint64_t identical_files = 0;
    std::uint64_t identical_bytes = 0;
    /// Identical files that were compared by size and time alone.
    std::uint64_t uncompared_files = 0;
};

enum class EntryState : std::uint8_t {
    /// Nothing of it is present or on its way. Also for entries that are no files.
    Waiting,
    /// It is complete in a segment that is being received.
    Arriving,
    /// ReceiverPieces knows which of its bytes are here.
    Partial,
    /// All its bytes are written; it is not published yet.
    Complete,
    Published,
    /// An earlier attempt completed it.
    Present,
    /// The file that existed has the same content.
    Identical,
    /// The file that existed has the same size and time.
    Uncompared,
    /// Was never asked for.
    Unwanted,
    /// Deselected after it was requested; bytes may still arrive.
    Skipped,
    /// Skipped and wanted again: requested once none of its bytes are on their way.
    Unskipping,
    Removed,
    Failed,
};

class ReceiverEntries {
public:
    const ManifestTable &manifest() const { return *manifest_; }
    std::shared_ptr<const ManifestTable> shared_manifest() const { return manifest_; }
    /// The next entry of the manifest. LimitExceeded.
    Result<> add(const ManifestEntry &entry);
    /// Entries below `end` can have states, also ahead of the manifest.
    void reach(std::uint64_t end);
    /// All below `end` is accepted: requested or declined.
    void accept(std::uint64_t end);
    std::uint64_t accepted_end() const { return accepted_; }
    bool is_accepted_file(std::uint64_t index) const;

    EntryState state(std::uint64_t index) const {
        return index < states_.size() ? states_[index] : EntryState::Waiting;
    }
    void set_state(std::uint64_t index, EntryState state);
    /// Its bytes are missing, or it is not published yet.
    bool is_missing(std::uint64_t index) const;
    /// Its bytes are to be written.
    bool accepts(std::uint64_t index) const;
    /// The stream has that many bytes, or more. LimitExceeded.
    Result<> grow_stream(std::uint64_t index, std::uint64_t size);

    /// Linear: a byte for each of the first `end` entries.
    FileStates file_states(std::uint64_t end) const;
    /// Bytes of an entry that is here as a whole.
    std::uint64_t whole_bytes(std::uint64_t index) const;
    /// Without bytes of files that are Partial.
    const ReceiverTotals &totals() const { return totals_; }

private:
    /// Adds the entry as it is now to all sums, or takes it out of them: around every change.
    void count(std::uint64_t index, bool in);

    std::shared_ptr<ManifestTable> manifest_ = std::make_shared<ManifestTable>();
    /// May run ahead of the manifest: what was removed can be known before it is listed.
    std::vector<EntryState> states_;
    std::uint64_t accepted_ = 0;
    ReceiverTotals totals_;
};

} // namespace thru
