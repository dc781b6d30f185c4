#include "engine/receive/incoming_segments.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "compression/zstd.h"
#include "target/segments/memory_segment.h"
#include "target/segments/segment_writer.h"
#include "wire/segment.h"
#include "wire/segment_blocks.h"

namespace thru {

namespace {

/// Maximum memory for chunks of incoming segments; beyond it segments fill smaller chunks. Honest
/// senders have a handful of large segments in flight.
constexpr std::uint64_t kMaxFilling = 16ULL << 20;
constexpr std::uint64_t kSmallChunkBytes = 16ULL << 10;
/// Progress counts this many bytes of each segment before the disk has them: on slow paths a chunk
/// takes seconds to arrive.
constexpr std::uint64_t kMaxCounted = kChunkBytes;

} // namespace

struct IncomingSegments::Segment {
    StreamId stream = -1;
    bool prefetched = false;
    /// Kept until the segment begins: smaller than its plan.
    SegmentHeaderDecoder header;
    /// Number of pieces, once the header is complete.
    std::size_t pieces = 0;
    /// Bytes of data and hash still to arrive, once the header is complete. Not counted down if the
    /// segment is compressed.
    std::uint64_t left = 0;
    /// Set if the segment is compressed, once the header is complete.
    std::optional<SegmentBlockDecoder> blocks;
    /// Null until the segment begins.
    std::unique_ptr<SegmentSink> writer;
    /// The pieces that count, if the segment is prefetched; otherwise all of the writer's.
    std::optional<SegmentPlan> used;
    /// Null until the segment may be written.
    std::shared_ptr<DiskPool::Strand> strand;
    /// Passed to the strand once there is one.
    std::vector<Write> waiting;
    /// Number of its files once all bytes have arrived.
    std::size_t files = 0;
    Chunk chunk;
    /// Bytes that have arrived and are not on the disk yet.
    std::uint64_t arriving = 0;
    /// Data bytes on the disk whose hash is not known yet.
    std::uint64_t unverified = 0;
    /// Bytes received without renewed credit, for an output written in order.
    std::uint64_t uncredited = 0;
    bool abandoned = false;

    const SegmentPlan &plan() const { return used ? *used : writer->plan(); }
    /// The bytes that count as progress before they are written.
    std::uint64_t counted() const { return writer ? std::min(arriving, kMaxCounted) : 0; }
};

IncomingSegments::IncomingSegments(EngineContext &context, Scheduler::Task &task,
                                   Connection &connection, Receiver &receiver,
                                   ReceiveTarget &target, Listener listener)
    : context_(context), connection_(connection), receiver_(receiver), target_(target),
      listener_(std::move(listener)), lifetime_([&task] { task.wake(); }) {}

IncomingSegments::~IncomingSegments() {
    for (const auto &[stream, segment] : segments_) {
        if (segment->strand) {
            abandon(segment);
        }
    }
}

Result<> IncomingSegments::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    auto &segment = segments_[stream];
    if (!segment) {
        segment = std::make_shared<Segment>(Segment{
            .stream = stream, .header = SegmentHeaderDecoder(receiver_.compression_allowed())});
    }
    if (!segment->writer && !segment->header.done()) {
        const auto of_header = read_header(*segment, bytes, fin);
        if (!of_header) {
            return std::unexpected(of_header.error());
        }
        if (!segment->header.done()) {
            return {};
        }
        bytes = bytes.subspan(*of_header);
        if (!accepting()) {
            held_.push_back(segment);
        } else if (auto begun = begin(segment); !begun) {
            return begun;
        }
    }
    set_arriving(*segment, segment->arriving + bytes.size());
    if (segment->blocks) {
        return add_blocks(segment, bytes, fin);
    }
    if (bytes.size() > segment->left || (fin && bytes.size() < segment->left)) {
        return fail(ErrorCode::PeerProtocol, 0, "segment length differs from its header");
    }
    auto &chunk = segment->chunk;
    while (!bytes.empty()) {
        if (!chunk.bytes) {
            chunk = take_chunk(segment->left);
            filling_ += chunk.bytes->size();
        }
        const auto size = std::min(bytes.size(), chunk.bytes->size() - chunk.size);
        std::memcpy(chunk.bytes->data() + chunk.size, bytes.data(), size);
        chunk.size += size;
        bytes = bytes.subspan(size);
        segment->left -= size;
        // The last chunk waits for the end of the stream.
        if (chunk.size == chunk.bytes->size() && segment->left > 0) {
            write_out(segment, false);
        }
    }
    if (fin) {
        write_out(segment, true);
    }
    return {};
}

Result<> IncomingSegments::add_blocks(const std::shared_ptr<Segment> &segment, ByteView bytes,
                                      bool fin) {
    auto &blocks = *segment->blocks;
    do {
        const auto taken = blocks.feed(bytes);
        if (!taken) {
            return std::unexpected(taken.error());
        }
        bytes = bytes.subspan(*taken);
        const bool last = blocks.at_last();
        // The last block waits for the end of the stream.
        if (blocks.whole() && (fin || !last)) {
            auto block = blocks.take();
            const auto size = block.bytes.size();
            if (block.is_compressed()) {
                saved_ += block.plain - std::min(block.plain, block.in_stream);
            }
            pass_on(segment, {.chunk = {.bytes = std::make_shared<Bytes>(std::move(block.bytes)),
                                        .size = size},
                              .arrived = block.in_stream,
                              .plain = block.plain,
                              .last = last});
            if (last) {
                return bytes.empty()
                           ? Result<>{}
                           : fail(ErrorCode::PeerProtocol, 0, "data after the last block");
            }
        }
    } while (!bytes.empty());
    return fin ? fail(ErrorCode::PeerProtocol, 0, "segment stream ended early") : Result<>{};
}

/// Takes the header from the front of `bytes`; returns its length so far.
Result<std::size_t> IncomingSegments::read_header(Segment &segment, ByteView bytes, bool fin) {
    auto &header = segment.header;
    const bool begins = header.bytes().empty() && !segment.prefetched && !bytes.empty();
    const std::size_t before =
        begins && bytes.front() == static_cast<std::uint8_t>(StreamType::Prefetched) ? 1 : 0;
    segment.prefetched = segment.prefetched || before > 0;
    if (!segment.prefetched && !accepting()) {
        return fail(ErrorCode::PeerProtocol, 0, "segment before REQUEST");
    }
    const auto fed = header.feed(bytes.subspan(before));
    if (!fed) {
        return fed;
    }
    const auto of_header = before + *fed;
    connection_.consume_connection(of_header);
    if (!header.done() && fin) {
        return fail(ErrorCode::PeerProtocol, 0, "segment stream without a header");
    }
    if (header.done()) {
        const auto plan = header.plan();
        segment.pieces = plan.size();
        segment.left = plan_bytes(plan) + kSegmentHashBytes;
        if (header.compressed()) {
            segment.blocks.emplace(header.bytes().size(), segment.left);
        }
    }
    // A segment counts in full before its bytes take memory.
    const auto cost = segment.prefetched ? of_header + segment.left : 0;
    if (cost > prefetch_left_) {
        return fail(ErrorCode::PeerProtocol, 0, "more prefetched bytes than requested");
    }
    prefetch_left_ -= cost;
    return of_header;
}

Result<> IncomingSegments::release_held() {
    for (const auto &segment : std::exchange(held_, {})) {
        if (auto begun = begin(segment); !begun) {
            return begun;
        }
    }
    return {};
}

/// Claims the pieces of a segment whose header is complete.
Result<> IncomingSegments::begin(const std::shared_ptr<Segment> &segment) {
    auto &header = segment->header;
    auto plan = header.plan();
    if (segment->prefetched) {
        segment->used = plan;
    }
    if (auto started = segment->used ? receiver_.on_prefetched_started(*segment->used)
                                     : receiver_.on_segment_started(plan);
        !started) {
        return started;
    }
    std::vector<bool> dropped;
    for (const auto &piece : plan) {
        // The end of a stream has no bytes to write.
        const bool ends = piece.length == 0 && piece.offset > 0;
        const bool unused = segment->used && !std::ranges::binary_search(
                                                 *segment->used, piece.index, {}, &Piece::index);
        dropped.push_back(ends || unused || !receiver_.accepts(piece.index));
    }
    // Stored data of a file may have to be deleted first.
    listener_.on_begun();
    if (output_ != nullptr) {
        segment->writer =
            std::make_unique<MemorySegment>(std::move(plan), header.bytes(), dropped.front());
    } else {
        segment->writer = std::make_unique<SegmentWriter>(target_.folder(), std::move(plan),
                                                          header.bytes(), std::move(dropped));
    }
    header = SegmentHeaderDecoder();
    counted_ += segment->counted();
    waiting_.push_back(segment);
    write_waiting();
    return {};
}

void IncomingSegments::set_arriving(Segment &segment, std::uint64_t bytes) {
    counted_ -= segment.counted();
    segment.arriving = bytes;
    counted_ += segment.counted();
}

/// Counted segments have arrived completely, so waiting ones get their turn. Writing waits for
/// pending writes of a reset segment: its pieces may arrive again and be overwritten.
void IncomingSegments::write_waiting() {
    while (!waiting_.empty() && abandoning_ == 0 &&
           (output_ != nullptr || target_.may_write(files_to_write_))) {
        begin_writing(waiting_.front());
        waiting_.pop_front();
    }
}

void IncomingSegments::begin_writing(const std::shared_ptr<Segment> &segment) {
    segment->strand = target_.strand_behind();
    if (!segment->strand) {
        segment->strand = context_.disk.make_strand();
    }
    files_to_write_ += segment->files;
    for (auto &waiting : std::exchange(segment->waiting, {})) {
        write(segment, std::move(waiting));
    }
}

/// A chunk no larger than the `left` bytes of the segment.
Chunk IncomingSegments::take_chunk(std::uint64_t left) {
    const auto usual = std::min<std::uint64_t>(left, kChunkBytes);
    const auto size = filling_ + usual <= kMaxFilling ? usual : std::min(usual, kSmallChunkBytes);
    return size == kChunkBytes
               ? context_.buffers->take()
               : Chunk{.bytes = std::make_shared<Bytes>(static_cast<std::size_t>(size)), .size = 0};
}

/// Takes the segment's chunk, which is passed on or no longer needed.
Chunk IncomingSegments::give_chunk(Segment &segment) {
    filling_ -= segment.chunk.bytes ? segment.chunk.bytes->size() : 0;
    return std::exchange(segment.chunk, {});
}

void IncomingSegments::write_out(const std::shared_ptr<Segment> &segment, bool last) {
    auto chunk = give_chunk(*segment);
    const auto size = chunk.size;
    pass_on(segment, {.chunk = std::move(chunk), .arrived = size, .plain = size, .last = last});
}

void IncomingSegments::pass_on(const std::shared_ptr<Segment> &segment, Write bytes) {
    ++writes_;
    segment->files = bytes.last ? segment->pieces : 0;
    if (segment->strand) {
        files_to_write_ += segment->files;
        write(segment, std::move(bytes));
    } else {
        segment->waiting.push_back(std::move(bytes));
    }
}

/// Decompresses on the disk pool: until then, memory is needed only for bytes that arrived.
Result<> IncomingSegments::write_to_sink(SegmentSink &sink, const Write &bytes) {
    if (bytes.chunk.size == bytes.plain) {
        return sink.write(bytes.chunk.view());
    }
    const auto plain = decompressed(bytes.chunk.view(), bytes.plain);
    return plain ? sink.write(*plain) : std::unexpected(plain.error());
}

void IncomingSegments::write(const std::shared_ptr<Segment> &segment, Write bytes) {
    struct Written {
        Result<> outcome;
        /// The hash of the written bytes has not arrived yet.
        bool unverified = false;
    };
    const Write sizes{
        .chunk = {}, .arrived = bytes.arrived, .plain = bytes.plain, .last = bytes.last};
    context_.disk.run(
        segment->strand, lifetime_, {.lane = DiskLane::Data, .disk = disk()},
        [segment, bytes = std::move(bytes)] {
            auto outcome = write_to_sink(*segment->writer, bytes);
            return Written{.outcome = std::move(outcome),
                           .unverified = segment->writer->outcome() == SegmentOutcome::Unfinished};
        },
        [this, segment, sizes](const Written &written) {
            on_written(segment, sizes, written.unverified, written.outcome);
        });
}

void IncomingSegments::on_written(const std::shared_ptr<Segment> &segment, const Write &bytes,
                                  bool unverified, const Result<> &outcome) {
    --writes_;
    // An output renews credit later, once it has written the bytes.
    if (output_ != nullptr && !segment->abandoned) {
        segment->uncredited += bytes.arrived;
    } else {
        connection_.consume_connection(bytes.arrived);
    }
    transferred_ += bytes.plain;
    if (!outcome) {
        listener_.on_failed(outcome.error());
        return;
    }
    if (segment->abandoned) {
        return;
    }
    set_arriving(*segment, segment->arriving - bytes.arrived);
    listener_.on_written();
    if (bytes.last) {
        end(segment);
    } else if (unverified) {
        segment->unverified += bytes.plain;
        unverified_ += bytes.plain;
    }
}

/// The folder's disk; nullopt for an output.
std::optional<std::uint64_t> IncomingSegments::disk() const {
    return output_ != nullptr ? std::nullopt : std::optional(target_.folder()->disk());
}

void IncomingSegments::release_credit(Segment &segment) {
    connection_.consume_connection(std::exchange(segment.uncredited, 0));
    connection_.allow_stream();
}

void IncomingSegments::end(const std::shared_ptr<Segment> &segment) {
    segments_.erase(segment->stream);
    unverified_ -= segment->unverified;
    files_to_write_ -= segment->files;
    auto &writer = *segment->writer;
    if (output_ != nullptr && writer.outcome() == SegmentOutcome::Verified) {
        output_->add(writer.plan().front(), writer.take_data(),
                     std::exchange(segment->uncredited, 0));
    } else {
        // Renewing credit only now bounds the number of waiting segments, however small they are.
        release_credit(*segment);
    }
    for (const auto &failure : writer.failures()) {
        listener_.on_entry_failed(failure);
    }
    // A failed commit may be reported before a segment that it lost.
    const bool may_be_lost = writer.outcome() == SegmentOutcome::Verified &&
                             writer.failed_syncs() < target_.failed_syncs();
    switch (may_be_lost ? SegmentOutcome::Voided : writer.outcome()) {
    case SegmentOutcome::Verified:
        target_.note_written();
        for (auto &text : writer.take_texts()) {
            listener_.on_text(std::move(text));
        }
        receiver_.on_segment_written(segment->plan());
        break;
    case SegmentOutcome::Damaged:
        receiver_.on_segment_damaged(segment->plan());
        break;
    case SegmentOutcome::Voided:
        receiver_.on_segment_voided(segment->plan());
        break;
    case SegmentOutcome::NoRoom:
        receiver_.on_segment_lost(segment->plan());
        target_.wait_for_room(writer.shortage());
        break;
    case SegmentOutcome::Unfinished:
        listener_.on_failed(Error{ErrorCode::PeerProtocol, 0, "segment stream ended early"});
        break;
    }
}

/// Runs after the segment's writes on the disk pool: deleting its data can take seconds.
void IncomingSegments::abandon(const std::shared_ptr<Segment> &segment) {
    segment->abandoned = true;
    ++abandoning_;
    context_.disk.run(
        segment->strand, lifetime_, {.lane = DiskLane::Data, .disk = disk()},
        [segment] { segment->writer.reset(); },
        [this, segment] {
            --abandoning_;
            release_credit(*segment);
        });
}

void IncomingSegments::on_stream_reset(StreamId stream) {
    const auto found = segments_.find(stream);
    if (found == segments_.end()) {
        connection_.allow_stream();
        return;
    }
    const auto segment = found->second;
    segments_.erase(found);
    connection_.consume_connection(give_chunk(*segment).size +
                                   (segment->blocks ? segment->blocks->held() : 0));
    unverified_ -= segment->unverified;
    set_arriving(*segment, 0);
    if (segment->writer) {
        receiver_.on_segment_abandoned(segment->plan());
    }
    if (segment->strand) {
        files_to_write_ -= segment->files;
        abandon(segment);
        return;
    }
    std::erase(waiting_, segment);
    std::erase(held_, segment);
    writes_ -= segment->waiting.size();
    for (const auto &unwritten : segment->waiting) {
        connection_.consume_connection(unwritten.arrived);
    }
    connection_.allow_stream();
}

} // namespace thru
