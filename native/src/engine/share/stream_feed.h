// A shared stream, read at the pace of its slowest receiver. Network thread only.
#pragma once

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

/// Begins when enough receivers have accepted, and takes no others afterwards: read data is kept
/// only for a while, and never on a disk.
class StreamFeed {
public:
    struct Listener {
        /// `end` bytes were read in total; `ended` if that is all.
        std::function<void(std::uint64_t end, bool ended)> on_grown;
        /// The stream failed before its end.
        std::function<void(const Error &)> on_broken;
    };
    /// Begins with the number of receivers given by `item`.
    StreamFeed(EngineContext &context, std::shared_ptr<StreamSource> source, const StreamItem &item,
               Listener listener);

    bool started() const { return started_; }
    /// True if it was completely read, or failed.
    bool over() const { return over_; }
    /// The producer's result: if it is not `complete`, the whole stream is broken.
    void conclude(bool complete);
    /// Adds a receiver that accepted. StreamStarted if it is too late, StreamBroken if the stream
    /// has failed.
    Result<> join(const SharePeer *receiver);
    /// True if the receiver joined in time.
    bool feeds(const SharePeer *receiver) const { return needed_from_.contains(receiver); }
    /// The receiver no longer needs data before `offset`.
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
    bool read_all_ = false;
    /// The producer is complete, or its result is not awaited.
    bool complete_;
    bool over_ = false;
    bool filling_ = false;
    Lifetime lifetime_;
};

} // namespace thru
