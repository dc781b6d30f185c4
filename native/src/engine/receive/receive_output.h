// One received file, written in order to a file descriptor of this process. Network thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "transfer/range_set.h"
#include "transfer/receiver.h"
#include "wire/segment.h"

namespace thru {

/// Requests the file. Segments arrive in any order and are kept until everything before them is
/// written. Only written bytes renew the sender's credit, so a slow reader slows the sender.
class ReceiveOutput {
public:
    struct Listener {
        /// `bytes` of streams, and one stream, are finished.
        std::function<void(std::uint64_t)> on_taken;
        /// OutputClosed when the reader has closed, Stopped when the file was removed from the
        /// share, otherwise the system's error.
        std::function<void(const Error &)> on_failed;
    };
    /// Wakes `task` when the system has answered; `task` and `receiver` must outlive this. `index`
    /// is the file, `descriptor` as for fs::write_stream.
    ReceiveOutput(EngineContext &context, Scheduler::Task &task, Receiver &receiver,
                  std::uint64_t index, int descriptor, Listener listener);

    std::uint64_t index() const { return index_; }
    /// Entries below `end` are offered: requests only this file of them.
    void request_up_to(std::uint64_t end);
    /// The sender removed these entries from the share.
    void on_removed(const IndexRanges &removed);

    /// Adds verified bytes of the file that occupied `credit` bytes of a stream.
    void add(const Piece &piece, std::vector<Bytes> data, std::uint64_t credit);
    /// Adds zeros, which used no stream.
    void add_hole(const Piece &piece);
    /// True while data waits for the reader.
    bool writing() const { return current_ != nullptr; }
    /// Publishes the file once it is completely written. Once per turn.
    void service(Timestamp now);
    Timestamp deadline() const;

private:
    struct Item;
    struct Step;

    using Waiting = std::map<std::uint64_t, std::shared_ptr<Item>>;

    std::shared_ptr<Item> take_next();
    void write_on();
    void on_step(const Result<Step> &step);
    void bound_waiting(Timestamp now);
    void give_up_last();
    void release(Waiting::iterator item);

    EngineContext &context_;
    Receiver &receiver_;
    std::uint64_t index_;
    /// Maximum bytes kept behind a missing segment: half of the sender's credit.
    std::uint64_t max_waiting_;
    int descriptor_;
    Listener listener_;
    std::shared_ptr<DiskPool::Strand> strand_;
    /// Everything before this offset is written.
    std::uint64_t written_ = 0;
    /// Being written; null while the next one is missing.
    std::shared_ptr<Item> current_;
    /// Segments by offset.
    Waiting waiting_;
    /// Waiting holes. Receiver bounds the gaps of a file, and thereby these ranges.
    RangeSet holes_;
    std::uint64_t waiting_bytes_ = 0;
    /// Time at which the last waiting segment is dropped unless one is written.
    Timestamp patience_ends_ = kNever;
    Lifetime lifetime_;
};

} // namespace thru
