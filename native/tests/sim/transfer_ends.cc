#include "sim/transfer_ends.h"

#include <algorithm>
#include <array>

#include "base/byte_reader.h"
#include "crypto/digest.h"
#include "support/parsed_segment_header.h"

namespace thru::sim {

namespace {

constexpr StreamId kControlStream = 0;
constexpr std::uint64_t kHeld = 32ULL << 20;
/// Holes and data alternate in sparse files.
constexpr std::uint64_t kHoleBytes = 1 << 20;

/// Size of the rows that files consist of.
constexpr std::uint64_t kRow = 256;

/// The row of an entry that begins at `offset`, a multiple of kRow. Under a sanitizer, making
/// single bytes would be slower than the simulated link.
ByteView row(std::uint64_t index, std::uint64_t offset) {
    static const auto kRows = [] {
        std::array<std::array<std::uint8_t, kRow>, kRow> rows{};
        for (std::size_t number = 0; number < kRow; ++number) {
            for (std::size_t at = 0; at < kRow; ++at) {
                rows.at(number).at(at) = static_cast<std::uint8_t>(number ^ at);
            }
        }
        return rows;
    }();
    return kRows.at(static_cast<std::uint8_t>((index * 131) ^ (offset >> 8) ^ (offset >> 16)));
}

/// The bytes of a segment's stream, as the disk would provide them.
Bytes segment_stream(const SegmentPlan &plan) {
    Bytes stream;
    encode_segment_header(plan, stream);
    const std::size_t header = stream.size();
    for (const auto &piece : plan) {
        append_bytes(stream, content_of(piece.index, piece.offset, piece.length));
    }
    Blake3 data;
    data.update(ByteView{stream}.subspan(header));
    Blake3 hash;
    hash.update(ByteView{stream}.first(header));
    hash.update(data.finish());
    const auto digest = hash.finish();
    stream.insert(stream.end(), digest.begin(), digest.end());
    return stream;
}

void write_all(Connection &connection, StreamId stream,
               const std::vector<ControlMessage> &messages) {
    Bytes out;
    for (const auto &message : messages) {
        encode(message, out);
    }
    if (!out.empty()) {
        connection.write(stream, out, false);
    }
}

} // namespace

Bytes content_of(std::uint64_t index, std::uint64_t offset, std::uint64_t length) {
    Bytes content;
    content.reserve(static_cast<std::size_t>(length));
    for (const auto end = offset + length; offset < end;) {
        const auto begin = offset % kRow;
        const auto size = std::min(kRow - begin, end - offset);
        append_bytes(content, row(index, offset - begin).subspan(begin, size));
        offset += size;
    }
    return content;
}

SendingEnd::SendingEnd(std::shared_ptr<ManifestTable> manifest, std::set<std::uint64_t> unreadable)
    : manifest_(manifest), unreadable_(std::move(unreadable)),
      sender_(manifest, {.name = "Mina",
                         .share = {1},
                         .validator_of =
                             [](std::uint64_t index) {
                                 return WireId{3, static_cast<std::uint8_t>(index)};
                             }}),
      checkpoints_wanted_(manifest->size()) {}

void SendingEnd::on_stream_data(StreamId stream, ByteView bytes, bool) {
    ASSERT_EQ(stream, kControlStream);
    control_open_ = true;
    connection_->consume_stream(stream, bytes.size());
    connection_->consume_connection(bytes.size());
    const auto handled = control_.each(
        bytes, [this](const ControlMessage &message) { return sender_.on_control(message); });
    ASSERT_TRUE(handled.has_value()) << handled.error().detail;
}

void SendingEnd::on_stream_reset(StreamId) { ADD_FAILURE() << "receivers reset nothing"; }

void SendingEnd::on_stream_closed(StreamId stream) {
    if (const auto found = failed_.find(stream); found != failed_.end()) {
        const auto [plan, index, prefetched] = found->second;
        failed_.erase(found);
        if (prefetched) {
            sender_.on_prefetch_failed(plan);
        } else {
            sender_.on_entry_failed(plan, index, ErrorCode::SourceChanged);
        }
    }
}

void SendingEnd::send_manifest() {
    Bytes out;
    if (!manifest_stream_) {
        manifest_stream_ = connection_->open_unidirectional();
        ASSERT_TRUE(manifest_stream_);
        out.push_back(static_cast<std::uint8_t>(StreamType::Manifest));
    } else if (listed_ == checkpoints_wanted_ || !accepted_) {
        return;
    }
    for (; listed_ < checkpoints_wanted_; ++listed_) {
        encoder_.add(manifest_->entry(listed_), out);
    }
    encoder_.checkpoint(out);
    connection_->write(*manifest_stream_, out, false);
    sender_.on_checkpoint();
}

void SendingEnd::send_segment(StreamId stream, const SegmentPlan &plan) {
    auto bytes = segment_stream(plan);
    sent_ += plan_bytes(plan);
    const bool prefetched = sender_.prefetched();
    if (prefetched) {
        bytes.insert(bytes.begin(), static_cast<std::uint8_t>(StreamType::Prefetched));
    }
    if (damage_every_ > 0 && ++segments_ % damage_every_ == 0) {
        bytes.back() ^= 1;
    }
    const auto unreadable = std::ranges::find_if(
        plan, [this](const Piece &piece) { return unreadable_.contains(piece.index); });
    if (unreadable == plan.end()) {
        connection_->write(stream, bytes, true);
        return;
    }
    connection_->write(stream, ByteView{bytes}.first(bytes.size() / 2), false);
    failing_.push_back(stream);
    failed_[stream] = {.plan = plan, .index = unreadable->index, .prefetched = prefetched};
}

void SendingEnd::handle(const SenderEvent &event) {
    if (const auto *finished = std::get_if<SenderFinished>(&event)) {
        finished_ = finished->totals;
    } else if (std::holds_alternative<SenderAccepted>(event)) {
        accepted_ = true;
    } else if (const auto *claimed = std::get_if<Have>(&event)) {
        if (claimed->validator == kBasisValidator) {
            compared_ = *claimed;
            different_.clear();
            sender_.compare(*claimed, 0);
            return;
        }
        const WireId source{3, static_cast<std::uint8_t>(claimed->index)};
        sender_.on_have_checked(claimed->index, claimed->validator == source);
    } else if (const auto *extents = std::get_if<Extents>(&event)) {
        compare(*extents);
    } else if (const auto *wanted = std::get_if<SenderDataWanted>(&event)) {
        const std::uint64_t size = manifest_->file_size(wanted->index);
        const std::uint64_t block = wanted->offset / kHoleBytes;
        const std::uint64_t begin = block % 2 == 1 ? wanted->offset : (block + 1) * kHoleBytes;
        const std::uint64_t end = (begin / kHoleBytes + 1) * kHoleBytes;
        sender_.on_data_found(wanted->index, std::min(begin, size), std::min(end, size));
    }
}

/// One HAVE at a time.
void SendingEnd::compare(const Extents &extents) {
    ASSERT_TRUE(compared_ && compared_->index == extents.index);
    std::uint64_t end = extents.offset;
    for (const Extents::Run &run : extents.runs) {
        Blake3 hasher;
        hasher.update(content_of(extents.index, end, run.length));
        if (shortened(hasher.finish()) != run.hash) {
            different_.push_back({.offset = end, .length = run.length});
        }
        end += run.length;
    }
    if (end < compared_->offset) {
        sender_.compare(*compared_, end);
    } else {
        sender_.on_have_checked(extents.index, true, different_);
    }
}

void SendingEnd::pump() {
    for (const auto &event : sender_.take_events()) {
        handle(event);
    }
    if (!control_open_) {
        return;
    }
    send_manifest();
    std::erase_if(failing_, [this](StreamId stream) {
        const bool sent = connection_->unsent_bytes(stream) == 0;
        if (sent) {
            connection_->reset(stream);
        }
        return sent;
    });
    while (connection_->unacknowledged_bytes() < kHeld) {
        const auto plan = sender_.next_segment();
        if (!plan) {
            break;
        }
        const auto stream = connection_->open_unidirectional();
        ASSERT_TRUE(stream);
        send_segment(*stream, *plan);
    }
    write_all(*connection_, kControlStream, sender_.take_messages());
}

void ReceivingEnd::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    connection_->consume_connection(bytes.size());
    if (stream == control_stream_) {
        connection_->consume_stream(stream, bytes.size());
        return on_control(bytes);
    }
    const bool begins = !segments_.contains(stream) && !manifest_stream_ && !bytes.empty();
    const bool lists = begins && bytes.front() == static_cast<std::uint8_t>(StreamType::Manifest);
    if (lists || stream == manifest_stream_) {
        manifest_stream_ = stream;
        connection_->consume_stream(stream, bytes.size());
        ASSERT_TRUE(receiver_.on_manifest_bytes(bytes.subspan(lists ? 1 : 0)).has_value());
        return;
    }
    auto &segment = segments_[stream];
    segment.bytes.insert(segment.bytes.end(), bytes.begin(), bytes.end());
    on_segment(segment, fin);
    if (fin) {
        connection_->allow_stream();
        segments_.erase(stream);
    }
}

void ReceivingEnd::on_control(ByteView bytes) {
    const auto handled = control_.each(
        bytes, [this](const ControlMessage &message) { return receiver_.on_control(message); });
    ASSERT_TRUE(handled.has_value()) << handled.error().detail;
}

void ReceivingEnd::on_segment(Segment &segment, bool fin) {
    if (!segment.started) {
        auto parsed = parse_segment_header(segment.bytes);
        ASSERT_TRUE(parsed.has_value());
        if (*parsed) {
            segment.started = true;
            segment.plan = (*parsed)->plan;
            const auto started = receiver_.on_segment_started(segment.plan);
            ASSERT_TRUE(started.has_value()) << started.error().detail;
        }
    }
    if (!fin) {
        return;
    }
    const Bytes right = segment_stream(segment.plan);
    ASSERT_EQ(segment.bytes.size(), right.size());
    if (segment.bytes == right) {
        receiver_.on_segment_written(segment.plan);
    } else {
        receiver_.on_segment_damaged(segment.plan);
    }
}

void ReceivingEnd::on_stream_reset(StreamId stream) {
    connection_->allow_stream();
    if (const auto found = segments_.find(stream); found != segments_.end()) {
        if (found->second.started) {
            receiver_.on_segment_abandoned(found->second.plan);
        }
        segments_.erase(found);
    }
}

void ReceivingEnd::handle(const ReceiverEvent &event) {
    if (const auto *offered = std::get_if<ReceiverOffered>(&event)) {
        receiver_.accept(offered->end, std::exchange(choices_, {}));
    } else if (const auto *whole = std::get_if<ReceiverFilesComplete>(&event)) {
        for (const std::uint64_t index : whole->indexes) {
            receiver_.on_file_published(index, false);
        }
    } else if (const auto *finished = std::get_if<ReceiverFinished>(&event)) {
        finished_ = finished->totals;
    } else if (std::holds_alternative<ReceiverReleased>(event)) {
        released_ = true;
    } else if (const auto *validator = std::get_if<Validator>(&event)) {
        validators_[validator->index] = validator->validator;
    } else if (const auto *paused = std::get_if<ReceiverPeerPaused>(&event)) {
        paused_ = paused->pause.has_value();
    }
}

void ReceivingEnd::pump() {
    for (auto events = receiver_.take_events(); !events.empty(); events = receiver_.take_events()) {
        for (const auto &event : events) {
            handle(event);
        }
        receiver_.on_all_durable();
    }
    if (control_stream_) {
        write_all(*connection_, *control_stream_, receiver_.take_messages());
    }
}

} // namespace thru::sim
