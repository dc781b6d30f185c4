#include "web/web_receive.h"

#include <algorithm>

#include "crypto/random.h"
#include "link/control_stream.h"
#include "link/origin_proof.h"
#include "pairing/join_code.h"

namespace thru {

namespace {

/// Interval of PROGRESS messages.
constexpr Timestamp kWebReportInterval = 100 * kMillisecond;

} // namespace

WebReceive::WebReceive(WebPage &page, std::string own_name, const WireId &receive)
    : WebTransfer(page), receiver_(std::move(own_name), receive, true) {}

WebReceive::~WebReceive() = default;

Result<std::unique_ptr<WebReceive>> WebReceive::open(std::string_view code, std::string own_name,
                                                     const WebAttempt &attempt, WebPage &page,
                                                     Timestamp now) {
    const auto parsed = parse_join_code(code);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    if (auto random = require_random(); !random) {
        return std::unexpected(random.error());
    }
    std::unique_ptr<WebReceive> receive(new WebReceive(page, own_name, attempt.receive));
    const auto secret = attempt.resume
                            ? PairingSecret::key(PairingSecret::Kind::Resume, *attempt.resume)
                            : PairingSecret::words(parsed->words);
    auto link = WebLink::create(LinkRole::Receiver, parsed->nameplate, secret, std::move(own_name),
                                *receive, now);
    if (!link) {
        return std::unexpected(link.error());
    }
    receive->link_ = std::move(*link);
    return receive;
}

Result<> WebReceive::take(StreamId stream, ByteView bytes, bool fin) {
    if (stream == kControlStream) {
        return take_control(bytes, fin);
    }
    if (!manifest_stream_ && !segments_.contains(stream) && !bytes.empty() &&
        bytes.front() == static_cast<std::uint8_t>(StreamType::Manifest)) {
        manifest_stream_ = stream;
        consume(stream, 1);
        bytes = bytes.subspan(1);
    }
    if (stream == manifest_stream_) {
        consume(stream, bytes.size());
        return fin ? fail(ErrorCode::PeerProtocol, 0, "end of the manifest stream")
                   : receiver_.on_manifest_bytes(bytes);
    }
    return take_segment(stream, bytes, fin);
}

Result<> WebReceive::take_control(ByteView bytes, bool fin) {
    if (fin) {
        return fail(ErrorCode::PeerProtocol, kControlStream, "end of the control stream");
    }
    consume(kControlStream, bytes.size());
    return control_.feed(bytes, now_, [this](const ControlMessage &message) {
        auto taken = receiver_.on_control(message);
        // The page learns what is useless before the data that replaces it.
        handle_events();
        return taken;
    });
}

Result<> WebReceive::take_segment(StreamId stream, ByteView bytes, bool fin) {
    if (!accepted_) {
        return fail(ErrorCode::PeerProtocol, 0, "segment before REQUEST");
    }
    auto &segment = segments_[stream];
    if (!segment.has_header()) {
        const auto of_header = segment.take_header(bytes);
        if (!of_header) {
            return std::unexpected(of_header.error());
        }
        link_->connection().consume_connection(*of_header);
        bytes = bytes.subspan(*of_header);
        if (!segment.has_header()) {
            return fin ? fail(ErrorCode::PeerProtocol, 0, "segment stream without a header")
                       : Result<>{};
        }
        segment.begin();
        if (auto started = receiver_.on_segment_started(segment.plan()); !started) {
            return started;
        }
        handle_events();
    }
    unsaved_ += bytes.size();
    if (auto added = segment.add(bytes); !added) {
        return added;
    }
    if (fin) {
        if (!segment.whole()) {
            return fail(ErrorCode::PeerProtocol, 0, "segment stream ended early");
        }
        end_segment(stream);
    }
    return {};
}

void WebReceive::end_segment(StreamId stream) {
    const auto segment = std::move(segments_.extract(stream).mapped());
    if (!segment.is_right()) {
        unsaved_ -= segment.held();
        link_->connection().consume_connection(segment.held());
        link_->connection().allow_stream();
        receiver_.on_segment_damaged(segment.plan());
        return;
    }
    segment.each_run([this](const Piece &piece, std::uint64_t offset, ByteView run) {
        if (receiver_.accepts(piece.index)) {
            page_.on_data(piece.index, offset, run);
        }
    });
    saving_.try_emplace(stream, segment.plan(), segment.held());
    page_.on_segment(stream);
}

void WebReceive::saved(StreamId stream, Timestamp now) {
    now_ = now;
    const auto found = saving_.extract(stream);
    if (found.empty() || link_->closed()) {
        return;
    }
    const auto &[plan, held] = found.mapped();
    unsaved_ -= held;
    // Renewing credit only now bounds the memory of the page.
    link_->connection().consume_connection(held);
    link_->connection().allow_stream();
    receiver_.on_segment_written(plan);
}

Result<> WebReceive::take_reset(StreamId stream) {
    if (stream == kControlStream || stream == manifest_stream_) {
        return fail(ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM");
    }
    if (const auto found = segments_.extract(stream); !found.empty()) {
        const auto &segment = found.mapped();
        unsaved_ -= segment.held();
        link_->connection().consume_connection(segment.held());
        if (segment.has_header()) {
            receiver_.on_segment_abandoned(segment.plan());
        }
    }
    link_->connection().allow_stream();
    return {};
}

void WebReceive::on(const ReceiverOffered &offered) {
    const auto &manifest = *receiver_.manifest();
    for (auto index = offered_end_; index < offered.end; ++index) {
        page_.on_entry(index, manifest.entry(index));
    }
    offered_end_ = offered.end;
    page_.on_offered(offered.end);
    if (accepted_) {
        done_.reset();
        goodbye_by_ = kNever;
        receiver_.accept(offered.end, {});
    }
}

void WebReceive::accept(const ReceiverChoices &choices, Timestamp now) {
    now_ = now;
    if (!accepted_ && offered_end_ > 0 && !link_->closed()) {
        accepted_ = true;
        receiver_.accept(offered_end_, choices);
    }
}

void WebReceive::on(const Origin &origin) {
    const auto exported = link_->connection().exported(kOriginLabel, link_->keys().transcript);
    const auto verified = exported ? verified_origin(origin, *exported) : std::nullopt;
    if (verified) {
        page_.on_origin(*verified);
    } else {
        fail_with(Error{ErrorCode::PeerProtocol, 0, "ORIGIN with an invalid signature"});
    }
}

void WebReceive::on(const ReceiverRestarted &restarted) {
    page_.on_lost(restarted.index, 0, receiver_.manifest()->file_size(restarted.index));
}

void WebReceive::on(const ReceiverOutdated &outdated) {
    for (const auto &range : outdated.ranges) {
        page_.on_lost(outdated.index, range.offset, range.length);
    }
}

/// A page keeps each segment before it is counted as written.
void WebReceive::on(const ReceiverFilesComplete &complete) {
    for (const auto index : complete.indexes) {
        page_.on_file(index, receiver_.manifest()->file_size(index));
        receiver_.on_file_published(index, false);
    }
}

void WebReceive::on(const ReceiverEntryFailed &failed) {
    page_.on_entry_failed(failed.index, failed.code);
}

void WebReceive::on(const ReceiverRemoved &removed) {
    for (const auto &range : removed.ranges) {
        page_.on_removed(range);
    }
}

void WebReceive::on(const ReceiverFinished &finished) {
    done_ = finished.totals.entries;
    goodbye_by_ = now_ + kWebGoodbyeTime;
}

void WebReceive::on(const ReceiverReleased &) { goodbye_by_ = now_; }

void WebReceive::set_paused(bool paused, Timestamp now) {
    now_ = now;
    if (!accepted_ || link_->closed()) {
        return;
    }
    if (paused) {
        receiver_.pause({});
    } else {
        receiver_.resume();
    }
}

void WebReceive::handle_events() {
    for (const auto &event : receiver_.take_events()) {
        std::visit([this](const auto &each) { on(each); }, event);
    }
}

void WebReceive::pump(Timestamp now) {
    handle_events();
    if (accepted_ && saving_.empty()) {
        receiver_.on_all_durable();
        handle_events();
    }
    send_messages(now);
}

void WebReceive::send_messages(Timestamp now) {
    Bytes out;
    for (const auto &message : receiver_.take_messages()) {
        encode(message, out);
    }
    const auto sums = totals();
    const bool due = next_report_ == kNever || next_report_ <= now;
    if (done_ || !accepted_ || (due && sums.bytes == reported_)) {
        next_report_ = kNever;
    } else if (due) {
        next_report_ = now + kWebReportInterval;
        reported_ = sums.bytes;
        encode(Progress{.files = sums.files, .bytes = sums.bytes}, out);
    }
    if (!out.empty()) {
        link_->connection().write(kControlStream, out, false);
    }
}

bool WebReceive::whole() const { return done_ && receiver_.manifest()->size() <= *done_; }

WebTotals WebReceive::totals() const {
    const auto sums = receiver_.totals();
    return {.files = sums.files,
            .bytes = std::min(sums.bytes + unsaved_, sums.total_bytes),
            .total_files = sums.total_files,
            .total_bytes = sums.total_bytes};
}

} // namespace thru
