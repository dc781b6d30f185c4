// The journal of a receive: a previous attempt's, or a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/error.h"
#include "journal/journal.h"
#include "target/previous_attempt.h"
#include "target/receive_folder.h"

namespace thru {

/// Bytes reported as needed if not even folders or the journal can be made.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// A pointer to the journal; null if there is none. Folder's strand; `state` contains this.
class ReceiveJournal {
public:
    explicit ReceiveJournal(ReceiveFolder::State &state) : state_(state) {}

    /// Finds and continues a previous attempt's journal for the first `end` entries; once. Sets the
    /// tag of part files. DiskFull (needed bytes in Error::cause), TargetNotWritable, TargetGone.
    Result<> resume(std::size_t end);
    /// Creates a journal, durable before any part file may survive power loss. Errors as in resume.
    Result<> create();
    /// Adds an offered entry. Returns nullopt if the journal is full or can't contain it; the entry
    /// is then not logged.
    std::optional<Slot> add(std::uint64_t index);
    /// Deletes the journal when it is no longer needed.
    fs::SystemResult<> end();
    /// Leaves the journal for a later attempt, which may lock it now.
    void close();

    explicit operator bool() const { return journal_ != nullptr; }
    Journal &operator*() const { return *journal_; }
    Journal *operator->() const { return journal_.get(); }
    /// The previous attempt's content; null without one.
    PreviousAttempt *previous() const { return previous_.get(); }
    /// True if this same receive left the journal.
    bool is_own() const { return own_; }
    /// True if the journal outlives the transfer.
    bool is_kept() const { return kept_; }
    /// The journal was numbered anew, so the previous attempt's slots are no longer valid.
    void forget_previous() { previous_.reset(); }

private:
    Result<JournalHeader> new_header() const;
    void set(std::unique_ptr<Journal> journal);

    ReceiveFolder::State &state_;
    /// Outlives the ledgers, which use it.
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<PreviousAttempt> previous_;
    bool searched_ = false;
    bool own_ = false;
    bool kept_ = false;
};

} // namespace thru
