#include "engine/send_transfer.h"

#include <algorithm>

namespace thru {

namespace {

/// The receiver opens it first, so it is the first client-initiated bidirectional stream
/// (RFC 9000 section 2.1).
constexpr StreamId kControlStream = 0;
/// Data ready beyond what was sent, in bytes: outlasts a pause of the disk pool of several ms at
/// 1 GB/s.
constexpr std::uint64_t kReadAhead = 8ULL << 20;
/// Data held for one receiver, sent or not, in bytes: covers 4 Gbit/s at 100 ms.
constexpr std::uint64_t kMostHeld = 48ULL << 20;
/// Segments read side by side: small files wait for the disk, not for its bandwidth.
constexpr std::size_t kReaders = 3;
/// Manifest bytes queued at a time.
constexpr std::uint64_t kManifestAhead = 512ULL << 10;

} // namespace

struct SendTransfer::Outgoing {
    Outgoing(std::shared_ptr<const SourceFiles> files, SegmentPlan plan)
        : reader(std::move(files), std::move(plan)) {}

    SegmentReader reader;
    std::shared_ptr<DiskPool::Strand> strand;
    StreamId stream = -1;
    bool busy = false;
};

SendTransfer::SendTransfer(EngineContext &context, Connection &connection,
                           std::shared_ptr<const ManifestTable> manifest, std::string own_name)
    : context_(context), connection_(connection), sender_(manifest, std::move(own_name)),
      manifest_(std::move(manifest)), alive_(std::make_shared<bool>(true)) {}

SendTransfer::~SendTransfer() = default;

void SendTransfer::on_manifest_complete(std::shared_ptr<const SourceFiles> files) {
    files_ = std::move(files);
    sender_.on_manifest_complete();
}

Result<> SendTransfer::on_stream_data(StreamId stream, ByteView bytes) {
    if (stream != kControlStream) {
        return fail(ErrorCode::PeerProtocol, stream, "a stream that receivers don't have");
    }
    control_open_ = true;
    connection_.consume_stream(stream, bytes.size());
    connection_.consume_connection(bytes.size());
    return control_.each(
        bytes, [this](const ControlMessage &message) { return sender_.on_control(message); });
}

void SendTransfer::on_stream_closed(StreamId stream) {
    if (const auto found = taken_back_.find(stream); found != taken_back_.end()) {
        const auto failed = std::move(found->second);
        taken_back_.erase(found);
        sender_.on_entry_failed(failed.plan, failed.index, failed.code);
    }
}

void SendTransfer::pump() {
    pump_control();
    pump_manifest();
    pump_segments();
}

void SendTransfer::pump_control() {
    if (!control_open_) {
        return;
    }
    Bytes out;
    for (const auto &message : sender_.take_messages()) {
        encode(message, out);
    }
    if (!out.empty()) {
        connection_.write(kControlStream, out, false);
    }
}

void SendTransfer::pump_manifest() {
    if (manifest_done_ || !control_open_ || connection_.unsent_bytes() > kManifestAhead) {
        return;
    }
    if (!manifest_stream_) {
        manifest_stream_ = connection_.open_unidirectional();
        if (!manifest_stream_) {
            return;
        }
        const std::uint8_t type = static_cast<std::uint8_t>(StreamType::Manifest);
        connection_.write(*manifest_stream_, ByteView{&type, 1}, false);
    }
    Bytes out;
    while (manifest_sent_ < manifest_->size() && out.size() < kManifestAhead) {
        manifest_encoder_.add(manifest_->entry(manifest_sent_++), out);
    }
    manifest_done_ = files_ != nullptr && manifest_sent_ == manifest_->size();
    if (manifest_done_) {
        manifest_encoder_.finish(out);
    }
    if (!out.empty()) {
        connection_.write(*manifest_stream_, out, manifest_done_);
    }
}

void SendTransfer::pump_segments() {
    const auto wants_more = [this] {
        return connection_.unsent_bytes() + expected_ < kReadAhead &&
               connection_.unacknowledged_bytes() + expected_ < kMostHeld;
    };
    for (const auto &segment : reading_) {
        if (!segment->busy && wants_more()) {
            read_ahead(segment);
        }
    }
    while (reading_.size() < kReaders && wants_more()) {
        if (!planned_) {
            planned_ = sender_.next_segment();
        }
        const auto stream = planned_ ? connection_.open_unidirectional() : std::nullopt;
        if (!stream) {
            return;
        }
        auto segment = std::make_shared<Outgoing>(files_, std::move(*planned_));
        planned_.reset();
        segment->strand = context_.disk.make_strand();
        segment->stream = *stream;
        reading_.push_back(segment);
        read_ahead(segment);
    }
}

void SendTransfer::read_ahead(const std::shared_ptr<Outgoing> &segment) {
    segment->busy = true;
    expected_ += kChunkBytes;
    struct Read {
        Chunk chunk;
        std::optional<SegmentReader::Failure> failure;
    };
    auto read = std::make_shared<Read>();
    context_.disk.post(segment->strand,
                       {.work =
                            [segment, read, buffers = context_.buffers] {
                                read->chunk = buffers->take();
                                auto outcome = segment->reader.read(*read->chunk.bytes);
                                if (outcome) {
                                    read->chunk.size = *outcome;
                                } else {
                                    read->failure = outcome.error();
                                }
                            },
                        .completion =
                            [this, segment, read, alive = std::weak_ptr(alive_)] {
                                if (!alive.expired()) {
                                    on_chunk(segment, std::move(read->chunk), read->failure);
                                }
                            }});
}

void SendTransfer::on_chunk(const std::shared_ptr<Outgoing> &segment, Chunk chunk,
                            const std::optional<SegmentReader::Failure> &failure) {
    segment->busy = false;
    expected_ -= kChunkBytes;
    if (failure) {
        // Bytes already sent can't be called back: the whole stream is.
        connection_.reset(segment->stream);
        taken_back_.emplace(segment->stream,
                            TakenBack{segment->reader.plan(), failure->index, failure->error.code});
        std::erase(reading_, segment);
        return;
    }
    const bool last = segment->reader.finished();
    connection_.write(segment->stream, std::move(chunk), last);
    if (last) {
        std::erase(reading_, segment);
    }
}

} // namespace thru
