// The journal of a receive: that of a previous attempt, or a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "journal/journal.h"
#include "target/previous_attempt.h"
#include "target/receive_folder.h"

namespace thru {

/// Reported need when not even folders or the journal can be made, in bytes.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// A pointer to the journal, null without one. For the folder's strand, whose `state` it is in.
class ReceiveJournal {
public:
    explicit ReceiveJournal(ReceiveFolder::State &state) : state_(state) {}

    /// Looks for a journal that a previous attempt at the first `end` entries left, and continues
    /// it; once. Part files get their names then. DiskFull, with the need in Error::cause;
    /// TargetNotWritable, TargetGone.
    Result<> resume(std::size_t end);
    /// Makes a journal, durable before the first part file: no part may outlast a power loss
    /// without one. The errors of resume.
    Result<> create();
    /// Deletes the journal, which was not needed or has served.
    fs::SystemResult<> end();
    /// Leaves it for a later attempt, which may lock it now.
    void close();

    explicit operator bool() const { return journal_ != nullptr; }
    Journal &operator*() const { return *journal_; }
    Journal *operator->() const { return journal_.get(); }
    /// The content that a previous attempt left; null without one.
    PreviousAttempt *previous() const { return previous_.get(); }
    /// It was this same receive that left the journal.
    bool is_own() const { return own_; }

private:
    Result<JournalHeader> new_header() const;
    void set(std::unique_ptr<Journal> journal);

    ReceiveFolder::State &state_;
    /// Outlives the ledgers, which use it.
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<PreviousAttempt> previous_;
    bool searched_ = false;
    bool own_ = false;
};

} // namespace thru
