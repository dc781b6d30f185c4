// Lists the chunks of the share's files for a receiver, one file at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "base/lifetime.h"
#include "fs/disk_pool.h"
#include "link/scheduler.h"
#include "source/chunk_listing.h"
#include "transfer/sender.h"

namespace thru {

/// Network thread only.
class ChunkListings {
public:
    /// Reads on `strand`, and wakes `task` after each step. All references must outlive this.
    ChunkListings(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
                  std::shared_ptr<const SourceFiles> files, Sender &sender, Scheduler::Task &task);

    void add(const ListChunks &list) { wanted_.push_back(list.index); }
    /// Sends the chunks of one more message, unless that is in progress. Call it while the receiver
    /// keeps up.
    void list_more();

    bool busy() const { return reading_; }
    /// Number of files that wait for their lists.
    std::size_t waiting() const { return wanted_.size(); }

private:
    DiskPool &disk_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::shared_ptr<const SourceFiles> files_;
    Sender &sender_;
    std::deque<std::uint64_t> wanted_;
    std::shared_ptr<ChunkListing> listing_;
    bool reading_ = false;
    Lifetime lifetime_;
};

} // namespace thru
