// A stream that is shared: reads it at the pace of its slowest receiver. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "source/stream_source.h"
#include "source/tree_scan.h"

namespace thru {

class SharePeer;

/// Begins when enough receivers have accepted, and takes no others afterwards: what was read is
/// kept for a while only, and never on a disk.
class StreamFeed {
public:
    struct Listener {
        /// So many bytes were read in all; `ended` when no more come.
        std::function<void(std::uint64_t end, bool ended)> on_grown;
        /// It broke off before its end.
        std::function<void(const Error &)> on_broken;
    };
    /// Begins with as many receivers as `item` says.
    StreamFeed(EngineContext &context, std::shared_ptr<StreamSource> source, const StreamItem &item,
               Listener listener);

    bool started() const { return started_; }
    /// All of it was read, or it broke off.
    bool over() const { return over_; }
    /// What its producer came to: an end is one only when it is complete, and without that all of
    /// it is broken.
    void conclude(bool complete);
    /// A receiver accepted: StreamStarted when it is too late, StreamBroken when it broke off
    /// before.
    Result<> join(const SharePeer *receiver);
    /// Whether it was in time.
    bool feeds(const SharePeer *receiver) const { return needed_from_.contains(receiver); }
    /// It needs nothing before `offset` any more.
    void release(const SharePeer *receiver, std::uint64_t offset);
    void leave(const SharePeer *receiver);

private:
    void fill();
    void break_off(const Error &error);
    void on_filled(const Result<StreamSource::Filled> &filled);

    EngineContext &context_;
    std::shared_ptr<StreamSource> source_;
    const StreamItem item_;
    Listener listener_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::map<const SharePeer *, std::uint64_t> needed_from_;
    std::uint64_t end_ = 0;
    bool started_ = false;
    /// Nothing more can be read.
    bool read_all_ = false;
    /// Its producer is complete, as far as anybody says.
    bool complete_;
    bool over_ = false;
    bool filling_ = false;
    Lifetime lifetime_;
};

} // namespace thru
