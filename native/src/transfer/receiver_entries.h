// The entries of a receive: the state of each, and their totals.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// Sums over accepted files that were not removed.
struct ReceiverTotals {
    /// Verified and written files, including those present before.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    /// Wanted files that did not fail.
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
    /// Wanted files with missing bytes, or not published yet.
    std::uint64_t missing_files = 0;
    /// Files that existed before any attempt to receive them.
    std::uint64_t identical_files = 0;
    std::uint64_t identical_bytes = 0;
    /// Identical files compared only by size and time.
    std::uint64_t uncompared_files = 0;
};

enum class EntryState : std::uint8_t {
    /// None of its bytes are present or in transit. Also for entries other than files.
    Waiting,
    /// Complete in a segment that is being received.
    Arriving,
    /// ReceiverPieces knows its present bytes.
    Partial,
    /// All bytes are written; not published yet.
    Complete,
    Published,
    /// Completed by an earlier attempt.
    Present,
    /// The existing file has the same content.
    Identical,
    /// The existing file has the same size and time.
    Uncompared,
    /// Becomes a further name of another entry's file once that is published.
    Linked,
    /// Never requested.
    Unwanted,
    /// Deselected after it was requested; bytes may still arrive.
    Skipped,
    /// Skipped and wanted again: requested once none of its bytes are in transit.
    Unskipping,
    Removed,
    Failed,
};

class ReceiverEntries {
public:
    const ManifestTable &manifest() const { return *manifest_; }
    std::shared_ptr<const ManifestTable> shared_manifest() const { return manifest_; }
    /// Adds the next entry of the manifest. LimitExceeded.
    Result<> add(const ManifestEntry &entry);
    /// Takes the next of the manifest's hard links. PeerProtocol.
    Result<> take(const HardLinks &message);
    /// Takes the attributes of the next entry that has some. PeerProtocol, LimitExceeded.
    Result<> take(const FileAttributes &file);
    /// Takes the next creation times. PeerProtocol.
    Result<> take(const CreationTimes &message);
    /// Checks all of these against the entries below `end`, and gives them to the manifest.
    /// `of_folders`: attributes and times may be those of folders.
    Result<> link(std::uint64_t end, bool of_folders);
    /// Makes room for states of entries below `end`, even ahead of the manifest.
    void reach(std::uint64_t end);
    /// All entries below `end` are accepted: requested or declined.
    void accept(std::uint64_t end);
    std::uint64_t accepted_end() const { return accepted_; }
    bool is_accepted_file(std::uint64_t index) const;

    EntryState state(std::uint64_t index) const {
        return index < states_.size() ? states_[index] : EntryState::Waiting;
    }
    void set_state(std::uint64_t index, EntryState state);
    /// True if bytes are missing or it is not published yet.
    bool is_missing(std::uint64_t index) const;
    /// True if its bytes must be written.
    bool accepts(std::uint64_t index) const;
    /// The stream has at least `size` bytes. LimitExceeded.
    Result<> grow_stream(std::uint64_t index, std::uint64_t size);

    /// Linear: one byte for each of the first `end` entries.
    FileStates file_states(std::uint64_t end) const;
    /// Bytes of an entry that is completely present.
    std::uint64_t whole_bytes(std::uint64_t index) const;
    /// Excludes bytes of Partial files.
    const ReceiverTotals &totals() const { return totals_; }

private:
    /// Adds the entry's state to all sums or subtracts it, around every change.
    void count(std::uint64_t index, bool in);

    std::shared_ptr<ManifestTable> manifest_ = std::make_shared<ManifestTable>();
    /// May be ahead of the manifest: a removal can arrive before the entry is listed.
    std::vector<EntryState> states_;
    std::uint64_t accepted_ = 0;
    // Not in the manifest yet.
    std::vector<HardLink> hard_links_;
    std::vector<FileAttributes> attributes_;
    std::uint64_t attribute_bytes_ = 0;
    std::vector<CreationTime> creation_times_;
    ReceiverTotals totals_;
};

} // namespace thru
