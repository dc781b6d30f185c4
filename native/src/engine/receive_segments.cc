// The segments of a ReceiveTransfer: from stream bytes to chunks, to the disk pool, to their
// outcome.
#include <algorithm>
#include <cstring>

#include "engine/control_stream.h"
#include "engine/incoming_segment.h"
#include "engine/receive_transfer.h"

namespace thru {

/// Takes the header from the front of `bytes`; how many bytes belonged to it.
Result<std::size_t> ReceiveTransfer::begin_segment(const std::shared_ptr<Incoming> &segment,
                                                   ByteView bytes, bool fin) {
    const auto before = segment->header.size();
    const auto taken = std::min(bytes.size(), kMaxSegmentHeaderBytes - before);
    segment->header.insert(segment->header.end(), bytes.begin(),
                           bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    auto parsed = parse_segment_header(segment->header);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    if (!*parsed) {
        if (taken < bytes.size() || fin) {
            return fail(ErrorCode::PeerProtocol, 0, "a segment without a header");
        }
        connection_.consume_connection(bytes.size());
        return bytes.size();
    }
    if (!target_.folder()) {
        return fail(ErrorCode::PeerProtocol, 0, "data that nobody asked for");
    }
    if (auto started = receiver_.on_segment_started((*parsed)->plan); !started) {
        return std::unexpected(started.error());
    }
    // What is here of a file may have to go first.
    handle_events();
    const auto unfinished = abandoned_strand_.lock();
    segment->strand = target_.busy() ? target_.strand()
                      : unfinished   ? unfinished
                                     : context_.disk.make_strand();
    const auto of_header = (*parsed)->consumed - before;
    connection_.consume_connection(of_header);
    segment->writer =
        std::make_unique<SegmentWriter>(target_.folder(), std::move((*parsed)->plan),
                                        ByteView{segment->header}.first((*parsed)->consumed));
    segment->header = {};
    return of_header;
}

Result<> ReceiveTransfer::on_segment_bytes(const std::shared_ptr<Incoming> &segment, ByteView bytes,
                                           bool fin) {
    if (!segment->writer) {
        const auto of_header = begin_segment(segment, bytes, fin);
        if (!of_header) {
            return std::unexpected(of_header.error());
        }
        if (!segment->writer) {
            return {};
        }
        bytes = bytes.subspan(*of_header);
    }
    while (!bytes.empty()) {
        if (!segment->chunk.bytes) {
            segment->chunk = context_.buffers->take();
        }
        auto &chunk = segment->chunk;
        const auto size = std::min(bytes.size(), chunk.bytes->size() - chunk.size);
        std::memcpy(chunk.bytes->data() + chunk.size, bytes.data(), size);
        chunk.size += size;
        bytes = bytes.subspan(size);
        if (chunk.size == chunk.bytes->size()) {
            write_out(segment, fin && bytes.empty());
            if (fin && bytes.empty()) {
                return {};
            }
        }
    }
    if (fin) {
        write_out(segment, true);
    }
    return {};
}

void ReceiveTransfer::write_out(const std::shared_ptr<Incoming> &segment, bool last) {
    struct Write {
        Chunk chunk;
        Result<> outcome;
        /// The hash of what was written is still to come.
        bool unverified = false;
    };
    auto write = std::make_shared<Write>(Write{.chunk = std::exchange(segment->chunk, {})});
    ++writes_;
    context_.disk.post(segment->strand,
                       {.work =
                            [segment, write, last] {
                                if (write->chunk.size > 0 || last) {
                                    write->outcome = segment->writer->write(write->chunk.view());
                                }
                                write->unverified =
                                    segment->writer->outcome() == SegmentOutcome::Unfinished;
                            },
                        .completion =
                            [this, segment, write, last, alive = std::weak_ptr(alive_)] {
                                if (!alive.expired()) {
                                    on_written(segment, write->chunk.size, write->unverified,
                                               write->outcome, last);
                                }
                            }});
}

void ReceiveTransfer::on_written(const std::shared_ptr<Incoming> &segment, std::size_t bytes,
                                 bool unverified, const Result<> &outcome, bool last) {
    --writes_;
    connection_.consume_connection(bytes);
    transferred_ += bytes;
    if (!outcome) {
        fail_transfer(outcome.error());
        return;
    }
    if (segment->abandoned) {
        return;
    }
    progressed_ = true;
    if (last) {
        end_segment(segment);
    } else if (unverified) {
        segment->unverified += bytes;
        unverified_ += bytes;
    }
}

void ReceiveTransfer::end_segment(const std::shared_ptr<Incoming> &segment) {
    incoming_.erase(segment->stream);
    unverified_ -= segment->unverified;
    auto &writer = *segment->writer;
    for (const auto &failure : writer.failures()) {
        fail_entry(failure);
    }
    switch (writer.outcome()) {
    case SegmentOutcome::Verified:
        for (auto &text : writer.take_texts()) {
            texts_.insert_or_assign(text.index, std::move(text.text));
        }
        receiver_.on_segment_written(writer.plan());
        break;
    case SegmentOutcome::Damaged:
        receiver_.on_segment_damaged(writer.plan());
        break;
    case SegmentOutcome::NoRoom:
        receiver_.on_segment_lost(writer.plan());
        target_.wait_for_room(writer.needed_bytes(), monotonic_now());
        break;
    case SegmentOutcome::Unfinished:
        fail_transfer(Error{ErrorCode::PeerProtocol, 0, "a segment ended early"});
        break;
    }
}

void ReceiveTransfer::on_stream_reset(StreamId stream) {
    if (stream == kControlStream || stream == manifest_stream_) {
        fail_transfer(
            Error{ErrorCode::PeerProtocol, stream, "a stream that must not be taken back was"});
        return;
    }
    const auto found = incoming_.find(stream);
    if (found == incoming_.end()) {
        return;
    }
    const auto segment = found->second;
    incoming_.erase(found);
    connection_.consume_connection(segment->chunk.size);
    unverified_ -= segment->unverified;
    segment->abandoned = true;
    if (!segment->writer) {
        return;
    }
    receiver_.on_segment_abandoned(segment->writer->plan());
    // The pieces may come again at once: while writes of this segment are under way, new segments
    // queue behind them, or an old write could land on a new one.
    abandoned_strand_ = segment->strand;
}

} // namespace thru
