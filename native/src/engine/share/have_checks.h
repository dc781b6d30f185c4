// Compares the data that a receiver claims to have with the share's files, one file at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "base/lifetime.h"
#include "fs/disk_pool.h"
#include "link/scheduler.h"
#include "source/have_check.h"
#include "transfer/sender.h"

namespace thru {

/// Network thread only.
class HaveChecks {
public:
    /// Reads on `strand`, and wakes `task` after each step. All references must outlive this.
    HaveChecks(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
               std::shared_ptr<const SourceFiles> files, Sender &sender, Scheduler::Task &task);

    void add(const Have &have) { claimed_.push_back(have); }
    void take(const Extents &extents);
    /// Begins the next check unless one is in progress.
    void begin_next();

    bool busy() const { return check_ != nullptr; }
    /// Number of HAVEs that wait for their check.
    std::size_t waiting() const { return claimed_.size(); }

private:
    void step(std::uint64_t index);
    void request(std::uint64_t offset);
    void give_extents();
    void end();

    DiskPool &disk_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::shared_ptr<const SourceFiles> files_;
    Sender &sender_;
    std::deque<Have> claimed_;
    /// The check is in progress, or waits for the receiver's hashes.
    std::shared_ptr<HaveCheck> check_;
    bool wants_extents_ = false;
    /// The last EXTENTS, not given to the check yet.
    std::optional<Extents> extents_;
    /// A COMPARE is unanswered.
    bool requested_ = false;
    /// The file no longer matters, but the answer to its COMPARE has not arrived.
    bool over_ = false;
    Lifetime lifetime_;
};

} // namespace thru
