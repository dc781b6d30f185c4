// Lists the chunks of the share's files for a receiver, one file at a time, and sends those that it
// lacks.
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
    void add(const ListBlocks &list) { blocks_.push_back(list); }
    void add(const Fetch &fetch) { fetches_.push_back(fetch); }
    /// Sends the chunks of one more message, unless that is in progress. Call it while the receiver
    /// keeps up.
    void list_more();
    /// The same for a ListBlocks, or for bytes of a Fetch: none if data is `limited`, because
    /// limits don't apply to messages.
    void answer_more(bool limited);

    bool busy() const { return reading_ || answering_; }
    std::uint64_t fetched_bytes() const { return fetched_bytes_; }
    /// Number of files and ranges that wait.
    std::size_t waiting() const { return wanted_.size() + blocks_.size() + fetches_.size(); }

private:
    std::shared_ptr<RangeReader> reader(std::uint64_t index);
    void end_answer();

    DiskPool &disk_;
    std::shared_ptr<DiskPool::Strand> strand_;
    /// Separate, so that ranges don't wait for the next list.
    std::shared_ptr<DiskPool::Strand> range_strand_;
    std::shared_ptr<const SourceFiles> files_;
    Sender &sender_;
    std::deque<std::uint64_t> wanted_;
    std::shared_ptr<ChunkListing> listing_;
    std::deque<ListBlocks> blocks_;
    std::deque<Fetch> fetches_;
    /// The file of the last answer.
    std::shared_ptr<RangeReader> range_;
    bool reading_ = false;
    bool answering_ = false;
    std::uint64_t fetched_bytes_ = 0;
    Lifetime lifetime_;
};

} // namespace thru
