// One received file on its way to a stream of this process, in order. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "transfer/range_set.h"
#include "transfer/receiver.h"
#include "wire/segment.h"

namespace thru {

/// Asks the receiver for the file. Segments come in any order and are kept until everything ahead
/// of them is written. The sender gets credit for what is written only, so a slow reader slows the
/// sender.
class ReceiveOutput {
public:
    struct Listener {
        /// So many bytes of streams, and one stream, are done with.
        std::function<void(std::uint64_t)> on_taken;
        /// OutputClosed when nobody reads any more, Stopped when the file was removed from the
        /// share, else what the system says.
        std::function<void(const Error &)> on_failed;
    };
    /// Wakes `task`, which outlives it as `receiver` does, when the system has answered. `index` is
    /// the file, `descriptor` is as for fs::write_stream.
    ReceiveOutput(EngineContext &context, Scheduler::Task &task, Receiver &receiver,
                  std::uint64_t index, int descriptor, Listener listener);

    std::uint64_t index() const { return index_; }
    /// Entries below `end` are offered: requests the file, and nothing else.
    void request_up_to(std::uint64_t end);
    /// The sender took these out of the share.
    void on_removed(const IndexRanges &removed);

    /// Verified bytes of the file, which took `credit` bytes of a stream.
    void add(const Piece &piece, std::vector<Bytes> data, std::uint64_t credit);
    /// Zeros, which took no stream.
    void add_hole(const Piece &piece);
    /// Something waits for the reader.
    bool writing() const { return current_ != nullptr; }
    /// Publishes the file when all of it is written. Once in each turn.
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
    /// What may be kept behind a missing segment: half of what the sender has credit for, so that
    /// it can always send what is missing.
    std::uint64_t max_waiting_;
    int descriptor_;
    Listener listener_;
    std::shared_ptr<DiskPool::Strand> strand_;
    /// All up to here is written.
    std::uint64_t written_ = 0;
    /// Being written; null while the next one is missing.
    std::shared_ptr<Item> current_;
    /// Segments by offset.
    Waiting waiting_;
    /// Holes that wait. Receiver bounds the gaps of a file, which bounds these ranges.
    RangeSet holes_;
    std::uint64_t waiting_bytes_ = 0;
    /// When waiting_ gets shorter from its end unless something is written.
    Timestamp patience_ends_ = kNever;
    Lifetime lifetime_;
};

} // namespace thru
