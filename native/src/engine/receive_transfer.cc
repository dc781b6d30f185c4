#include "engine/receive_transfer.h"

#include <algorithm>
#include <cstring>

namespace thru {

namespace {

/// How often the sender hears what is written.
constexpr Timestamp kReportInterval = 100 * kMillisecond;

} // namespace

struct ReceiveTransfer::Incoming {
    StreamId stream = -1;
    /// Type byte and header until they are whole.
    Bytes header;
    std::unique_ptr<SegmentWriter> writer;
    std::shared_ptr<DiskPool::Strand> strand;
    Chunk chunk;
    /// Data bytes written to disk whose hash is not known yet.
    std::uint64_t unverified = 0;
    bool abandoned = false;
};

ReceiveTransfer::ReceiveTransfer(EngineContext &context, Connection &connection,
                                 std::string own_name)
    : context_(context), connection_(connection), receiver_(std::move(own_name)),
      folder_strand_(context.disk.make_strand()), alive_(std::make_shared<bool>(true)) {}

ReceiveTransfer::~ReceiveTransfer() {
    if (folder_) {
        context_.disk.post(folder_strand_, {.work = [folder = folder_] { folder->discard_parts(); },
                                            .completion = {}});
    }
}

Result<> ReceiveTransfer::begin() {
    control_stream_ = connection_.open_bidirectional();
    if (!control_stream_) {
        return fail(ErrorCode::PeerProtocol, 0, "the sender allows no control stream");
    }
    return {};
}

Result<> ReceiveTransfer::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (stream == control_stream_) {
        if (fin) {
            return fail(ErrorCode::PeerProtocol, stream, "the control stream ended");
        }
        connection_.consume_stream(stream, bytes.size());
        connection_.consume_connection(bytes.size());
        return control_.each(
            bytes, [this](const ControlMessage &message) { return receiver_.on_control(message); });
    }
    if (stream == manifest_stream_) {
        connection_.consume_stream(stream, bytes.size());
        connection_.consume_connection(bytes.size());
        return on_manifest_bytes(bytes, fin);
    }
    auto &segment = incoming_[stream];
    if (!segment) {
        if (!manifest_stream_ && !bytes.empty() &&
            bytes.front() == static_cast<std::uint8_t>(StreamType::Manifest)) {
            incoming_.erase(stream);
            manifest_stream_ = stream;
            connection_.consume_stream(stream, bytes.size());
            connection_.consume_connection(bytes.size());
            return on_manifest_bytes(bytes.subspan(1), fin);
        }
        segment = std::make_shared<Incoming>();
        segment->stream = stream;
        const auto unfinished = abandoned_strand_.lock();
        segment->strand = unfinished ? unfinished : context_.disk.make_strand();
    }
    return on_segment_bytes(segment, bytes, fin);
}

Result<> ReceiveTransfer::on_manifest_bytes(ByteView bytes, bool fin) {
    if (auto taken = receiver_.on_manifest_bytes(bytes); !taken) {
        return taken;
    }
    if (fin && !receiver_.manifest_whole()) {
        return fail(ErrorCode::PeerProtocol, 0, "the manifest ended early");
    }
    return {};
}

Result<> ReceiveTransfer::on_segment_bytes(const std::shared_ptr<Incoming> &segment, ByteView bytes,
                                           bool fin) {
    if (!segment->writer) {
        const auto before = segment->header.size();
        const auto taken = std::min(bytes.size(), kMaxSegmentHeaderBytes - before);
        segment->header.insert(segment->header.end(), bytes.begin(),
                               bytes.begin() + static_cast<std::ptrdiff_t>(taken));
        auto parsed = parse_segment_header(segment->header);
        if (!parsed) {
            return std::unexpected(parsed.error());
        }
        if (!*parsed) {
            connection_.consume_connection(bytes.size());
            return taken < bytes.size() || fin
                       ? Result<>(fail(ErrorCode::PeerProtocol, 0, "a segment without a header"))
                       : Result<>();
        }
        if (!folder_) {
            return fail(ErrorCode::PeerProtocol, 0, "data that nobody asked for");
        }
        if (auto started = receiver_.on_segment_started((*parsed)->plan); !started) {
            return started;
        }
        const auto of_header = (*parsed)->consumed - before;
        connection_.consume_connection(of_header);
        bytes = bytes.subspan(of_header);
        segment->writer =
            std::make_unique<SegmentWriter>(folder_, std::move((*parsed)->plan),
                                            ByteView{segment->header}.first((*parsed)->consumed));
        segment->header = {};
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
    };
    auto write = std::make_shared<Write>(Write{std::exchange(segment->chunk, {}), {}});
    context_.disk.post(segment->strand,
                       {.work =
                            [segment, write] {
                                if (write->chunk.size > 0) {
                                    write->outcome = segment->writer->write(write->chunk.view());
                                }
                            },
                        .completion =
                            [this, segment, write, last, alive = std::weak_ptr(alive_)] {
                                if (!alive.expired()) {
                                    on_written(segment, write->chunk.size, write->outcome, last);
                                }
                            }});
}

void ReceiveTransfer::on_written(const std::shared_ptr<Incoming> &segment, std::size_t bytes,
                                 const Result<> &outcome, bool last) {
    connection_.consume_connection(bytes);
    if (!outcome) {
        failure_ = failure_.value_or(outcome.error());
        return;
    }
    if (segment->abandoned) {
        return;
    }
    progressed_ = true;
    if (!last) {
        segment->unverified += bytes;
        unverified_ += bytes;
        return;
    }
    incoming_.erase(segment->stream);
    unverified_ -= segment->unverified;
    if (!segment->writer->complete()) {
        failure_ = failure_.value_or(Error{ErrorCode::PeerProtocol, 0, "a segment ended early"});
        return;
    }
    for (const auto &failure : segment->writer->failures()) {
        fail_entry(failure);
    }
    receiver_.on_segment_written(segment->writer->plan(), segment->writer->renamed());
}

void ReceiveTransfer::on_stream_reset(StreamId stream) {
    if (stream == control_stream_ || stream == manifest_stream_) {
        failure_ = failure_.value_or(
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

void ReceiveTransfer::accept(const std::string &directory) {
    struct Opening {
        Result<std::shared_ptr<ReceiveFolder>> folder;
        std::vector<WriteFailure> failures;
    };
    auto opening = std::make_shared<Opening>();
    context_.disk.post(folder_strand_,
                       {.work =
                            [opening, directory, manifest = receiver_.manifest()] {
                                opening->folder = ReceiveFolder::open(directory, manifest);
                                if (opening->folder) {
                                    opening->failures = (*opening->folder)->make_folders();
                                }
                            },
                        .completion =
                            [this, opening, alive = std::weak_ptr(alive_)] {
                                if (alive.expired()) {
                                    return;
                                }
                                if (!opening->folder) {
                                    failure_ = opening->folder.error();
                                    return;
                                }
                                folder_ = *opening->folder;
                                for (const auto &failure : opening->failures) {
                                    if (failure.error.code == ErrorCode::DiskFull) {
                                        failure_ = failure.error;
                                        return;
                                    }
                                    fail_entry(failure);
                                }
                                receiver_.accept();
                            }});
}

void ReceiveTransfer::fail_entry(const WriteFailure &failure) {
    problems_.push_back({failure.index, failure.error});
    receiver_.on_entry_failed(failure.index, failure.error.code);
}

void ReceiveTransfer::name_file(std::uint64_t index) {
    auto named = std::make_shared<Result<bool>>();
    context_.disk.post(folder_strand_, {.work = [folder = folder_, named,
                                                 index] { *named = folder->name_file(index); },
                                        .completion =
                                            [this, named, index, alive = std::weak_ptr(alive_)] {
                                                if (alive.expired()) {
                                                    return;
                                                }
                                                progressed_ = true;
                                                if (*named) {
                                                    receiver_.on_file_named(index, **named);
                                                } else {
                                                    fail_entry({index, named->error()});
                                                }
                                            }});
}

Result<> ReceiveTransfer::pump(Timestamp now) {
    if (failure_) {
        return std::unexpected(*failure_);
    }
    for (auto &event : receiver_.take_events()) {
        if (const auto *whole = std::get_if<ReceiverFileWhole>(&event)) {
            name_file(whole->index);
        } else {
            events_.push_back(std::move(event));
        }
    }
    Bytes out;
    for (const auto &message : receiver_.take_messages()) {
        // Counts of whole segments come too rarely on slow paths: they are told below.
        if (!std::holds_alternative<Durable>(message)) {
            done_ = done_ || std::holds_alternative<Done>(message);
            encode(message, out);
        }
    }
    const bool due = next_report_ == kNever || next_report_ <= now;
    if (done_ || (due && bytes() == reported_)) {
        next_report_ = kNever;
    } else if (due) {
        reported_ = bytes();
        next_report_ = now + kReportInterval;
        encode(Durable{receiver_.files(), reported_}, out);
    }
    if (!out.empty() && control_stream_) {
        connection_.write(*control_stream_, out, false);
    }
    return {};
}

} // namespace thru
