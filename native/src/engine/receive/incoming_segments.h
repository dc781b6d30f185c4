// Incoming segments: from streams of a connection to the disk or to an output. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/receive/receive_output.h"
#include "engine/receive/receive_target.h"
#include "quic/connection.h"
#include "target/segments/segment_sink.h"
#include "transfer/receiver.h"

namespace thru {

/// Collects stream bytes in chunks, writes them in the disk pool, and reports each segment's
/// outcome to the receiver and the target. Renews credit for bytes that are finished.
class IncomingSegments {
public:
    struct Listener {
        /// A segment has begun. The receiver's events must reach the target before it is written.
        std::function<void()> on_begun;
        std::function<void()> on_written;
        /// A verified text, before the receiver reports it complete.
        std::function<void(SegmentSink::Text)> on_text;
        std::function<void(const WriteFailure &)> on_entry_failed;
        std::function<void(const Error &)> on_failed;
    };

    /// All must outlive this. Wakes `task` when the disk has answered.
    IncomingSegments(EngineContext &context, Scheduler::Task &task, Connection &connection,
                     Receiver &receiver, ReceiveTarget &target, Listener listener);
    /// Discards incomplete segments, each after its writes.
    ~IncomingSegments();

    /// Sends all later segments to `output`, which must outlive this, instead of the target.
    void write_to(ReceiveOutput &output) { output_ = &output; }

    /// Prefetched segments with up to `bytes` of data may arrive, which are held in memory.
    void expect_prefetched(std::uint64_t bytes) { prefetch_left_ = bytes + kMaxPrefetchOverhead; }
    /// The receiver has accepted: writes the parts of held segments that it uses. PeerProtocol.
    Result<> release_held();

    Result<> on_stream_data(StreamId stream, ByteView bytes, bool fin);
    void on_stream_reset(StreamId stream);
    /// Starts delayed writes. Once per turn.
    void service() { write_waiting(); }

    bool knows(StreamId stream) const { return segments_.contains(stream); }
    /// True while segments are incomplete.
    bool arriving() const { return !segments_.empty(); }
    bool writing() const { return writes_ > 0; }
    /// Bytes of completed writes, uncompressed.
    std::uint64_t transferred() const { return transferred_; }
    /// Bytes of segments whose hash is not known yet: those written, and some that wait for it.
    std::uint64_t unverified() const { return unverified_ + counted_; }
    /// Bytes that compression has kept off the network.
    std::uint64_t saved() const { return saved_; }

private:
    struct Segment;
    /// Bytes for the disk.
    struct Write {
        Chunk chunk;
        /// Number of bytes that arrived, whose credit is renewed once they are written.
        std::size_t arrived = 0;
        /// Number of uncompressed bytes; more than in `chunk` if that is compressed.
        std::size_t plain = 0;
        bool last = false;
    };

    Result<std::size_t> read_header(Segment &segment, ByteView bytes, bool fin);
    Result<> begin(const std::shared_ptr<Segment> &segment);
    bool accepting() const { return target_.folder() || output_ != nullptr; }
    Chunk take_chunk(std::uint64_t left);
    Chunk give_chunk(Segment &segment);
    Result<> add_blocks(const std::shared_ptr<Segment> &segment, ByteView bytes, bool fin);
    void write_out(const std::shared_ptr<Segment> &segment, bool last);
    void pass_on(const std::shared_ptr<Segment> &segment, Write write);
    void write(const std::shared_ptr<Segment> &segment, Write write);
    static Result<> write_to_sink(SegmentSink &sink, const Write &write);
    void write_waiting();
    void set_arriving(Segment &segment, std::uint64_t bytes);
    void begin_writing(const std::shared_ptr<Segment> &segment);
    void on_written(const std::shared_ptr<Segment> &segment, const Write &write, bool unverified,
                    const Result<> &outcome);
    void end(const std::shared_ptr<Segment> &segment);
    void abandon(const std::shared_ptr<Segment> &segment);
    std::optional<std::uint64_t> disk() const;
    void release_credit(Segment &segment);

    EngineContext &context_;
    Connection &connection_;
    Receiver &receiver_;
    ReceiveTarget &target_;
    /// Replaces the target; null without an output.
    ReceiveOutput *output_ = nullptr;
    Listener listener_;
    std::unordered_map<StreamId, std::shared_ptr<Segment>> segments_;
    /// Prefetched segments that wait for release_held, in order of arrival.
    std::vector<std::shared_ptr<Segment>> held_;
    /// Bytes of prefetched segments that may still arrive.
    std::uint64_t prefetch_left_ = 0;
    /// Segments that must not be written yet, in order of arrival.
    std::deque<std::shared_ptr<Segment>> waiting_;
    /// Number of files in complete segments that are being written.
    std::size_t files_to_write_ = 0;
    /// Reset segments with pending writes.
    std::size_t abandoning_ = 0;
    std::size_t writes_ = 0;
    /// Size of the chunks that segments are filling.
    std::uint64_t filling_ = 0;
    std::uint64_t transferred_ = 0;
    std::uint64_t unverified_ = 0;
    std::uint64_t counted_ = 0;
    std::uint64_t saved_ = 0;
    Lifetime lifetime_;
};

} // namespace thru
