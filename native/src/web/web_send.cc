#include "web/web_send.h"

#include <algorithm>
#include <variant>

#include "base/byte_reader.h"
#include "crypto/random.h"
#include "link/control_stream.h"
#include "pairing/join_code.h"

namespace thru {

namespace {

/// Data requested from the page or waiting to be sent, in bytes.
constexpr std::uint64_t kWebReadAhead = 4ULL << 20;
/// Data that is not acknowledged: fills 1 Gbit/s at 190 ms.
constexpr std::uint64_t kMaxWebUnacknowledged = 24ULL << 20;
/// The same in a local network, where the memory of a page would serve as a queue.
constexpr std::uint64_t kMaxNearUnacknowledged = 6ULL << 20;
/// Unanswered reads: small files are limited by their number.
constexpr std::size_t kMaxWebReads = 64;
constexpr std::size_t kMaxWebSegments = 64;
/// Manifest bytes that are queued at a time.
constexpr std::size_t kWebManifestAhead = 512 * 1024;
/// Unacknowledged message bytes at which the requester is slow: it gets no further answers.
constexpr std::uint64_t kMaxWebMessages = 64 * 1024;

} // namespace

WebSend::WebSend(WebPage &page, std::string own_name, const Identity &identity)
    : WebTransfer(page), files_id_(identity.files), manifest_(std::make_shared<ManifestTable>()),
      sender_(manifest_,
              {.name = std::move(own_name),
               .share = identity.share,
               .browser = true,
               .validator_of = [this](std::uint64_t index) { return validator(index); }}) {}

WebSend::~WebSend() = default;

Result<std::unique_ptr<WebSend>> WebSend::open(std::string_view code, std::string own_name,
                                               const Identity &identity, WebPage &page,
                                               Timestamp now) {
    const auto parsed = parse_join_code(code);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    if (auto random = require_random(); !random) {
        return std::unexpected(random.error());
    }
    std::unique_ptr<WebSend> send(new WebSend(page, own_name, identity));
    auto link =
        WebLink::create(LinkRole::Sender, parsed->nameplate, PairingSecret::words(parsed->words),
                        std::move(own_name), *send, now);
    if (!link) {
        return std::unexpected(link.error());
    }
    send->link_ = std::move(*link);
    return send;
}

/// Another page, or other files, give other validators.
WireId WebSend::validator(std::uint64_t index) const {
    Bytes facts;
    append_bytes(facts, files_id_);
    append_big_endian(facts, manifest_->file_size(index), sizeof(std::uint64_t));
    append_big_endian(facts, static_cast<std::uint64_t>(manifest_->mtime_ns(index)),
                      sizeof(std::uint64_t));
    append_bytes(facts, as_bytes(manifest_->path(index)));
    Blake3 hasher;
    hasher.update(facts);
    const auto digest = hasher.finish();
    WireId id;
    std::ranges::copy_n(digest.begin(), id.size(), id.begin());
    return id;
}

Result<> WebSend::add(const ManifestEntry &entry) {
    if (offered_) {
        return fail(ErrorCode::Internal, 0, "an entry after the offer");
    }
    return manifest_->add(entry);
}

void WebSend::offer(Timestamp now) {
    now_ = now;
    if (!offered_ && manifest_->size() > 0) {
        offered_ = manifest_->size();
        woken_ = true;
    }
}

Result<> WebSend::take(StreamId stream, ByteView bytes, bool fin) {
    if (stream != kControlStream || fin) {
        return fail(ErrorCode::PeerProtocol, stream, "a requester has one stream without an end");
    }
    consume(stream, bytes.size());
    return control_.feed(bytes, now_, [this](const ControlMessage &message) {
        auto taken = sender_.on_control(message);
        handle_events();
        return taken;
    });
}

Result<> WebSend::take_reset(StreamId stream) {
    return fail(ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM");
}

void WebSend::on_stream_closed(StreamId stream) {
    const auto found = segments_.extract(stream);
    if (found.empty() || !found.mapped().failed) {
        return;
    }
    const auto &segment = found.mapped();
    if (segment.prefetched) {
        sender_.on_prefetch_failed(segment.plan);
    } else {
        sender_.on_entry_failed(segment.plan, segment.failed->first, segment.failed->second);
    }
}

void WebSend::handle_events() {
    for (const auto &event : sender_.take_events()) {
        std::visit([this](const auto &each) { on(each); }, event);
    }
}

/// On a slow path unused prefetched segments would delay the files that were chosen.
void WebSend::on(const SenderAccepted &) {
    page_.on_accepted();
    for (auto &[stream, segment] : segments_) {
        if (segment.prefetched && !segment.failed && !sender_.uses_prefetched(segment.plan)) {
            segment.failed = {segment.plan.front().index, ErrorCode::Internal};
            drop(stream);
        }
    }
}

void WebSend::on(const SenderFinished &finished) {
    finished_ = true;
    progress_.files = finished.totals.files;
    progress_.bytes = finished.totals.bytes;
    goodbye_by_ = now_ + kWebGoodbyeTime;
}

void WebSend::on(const Extents &extents) {
    if (check_ && check_->have().index == extents.index) {
        check_->take_extents(extents);
        check_waits_ = false;
    }
}

void WebSend::pump(Timestamp now) {
    auto &connection = link_->connection();
    now_ = now;
    handle_events();
    connection.set_limiters(nullptr, &rate_);
    connection.set_paused(sender_.paused());
    connection.set_background(sender_.background());
    send_manifest();
    check_haves();
    send_segments();
    handle_events();
    send_messages();
}

void WebSend::send_messages() {
    Bytes out;
    for (const auto &message : sender_.take_messages()) {
        encode(message, out);
    }
    if (!out.empty()) {
        link_->connection().write(kControlStream, out, false);
    }
}

void WebSend::send_manifest() {
    auto &connection = link_->connection();
    if (!offered_ || listed_all_) {
        return;
    }
    if (!manifest_stream_) {
        manifest_stream_ = connection.open_unidirectional(StreamUse::Messages);
        if (!manifest_stream_) {
            return;
        }
        const auto type = static_cast<std::uint8_t>(StreamType::Manifest);
        connection.write(*manifest_stream_, ByteView{&type, 1}, false);
    }
    Bytes out;
    const auto queued = connection.unacknowledged_bytes(*manifest_stream_);
    while (listed_ < *offered_ && queued + out.size() < kWebManifestAhead) {
        encoder_.add(manifest_->entry(listed_++), out);
    }
    if (listed_ == *offered_) {
        encoder_.checkpoint(out);
        listed_all_ = true;
        sender_.on_checkpoint();
    }
    if (!out.empty()) {
        connection.write(*manifest_stream_, out, false);
    }
}

bool WebSend::keeps_up() const {
    return link_->connection().unacknowledged_bytes(kControlStream) < kMaxWebMessages;
}

bool WebSend::wants_reads() const {
    const auto &connection = link_->connection();
    const auto most = connection.is_near() ? kMaxNearUnacknowledged : kMaxWebUnacknowledged;
    return reads_.size() < kMaxWebReads && connection.unsent_bytes() + expected_ < kWebReadAhead &&
           connection.unacknowledged_bytes() + expected_ < most;
}

void WebSend::check_haves() {
    while (!check_waits_ && keeps_up()) {
        if (check_ && !sender_.awaits_check(check_->have().index)) {
            check_.reset(); // The receiver changed its mind.
        }
        if (!check_) {
            if (claimed_.empty()) {
                return;
            }
            check_.emplace(claimed_.front(), validator(claimed_.front().index));
            claimed_.pop_front();
            continue;
        }
        auto step = check_->next();
        const auto index = check_->have().index;
        if (step.answer) {
            sender_.on_have_checked(index, step.answer->same, std::move(step.answer->different));
            check_.reset();
        } else if (step.part) {
            sender_.confirm_part(index, std::move(*step.part));
        } else {
            check_waits_ = true;
            if (step.wants_extents) {
                sender_.compare(check_->have(), *step.wants_extents);
            } else {
                request_read(-1, {index, step.read.offset, step.read.length});
            }
        }
    }
}

void WebSend::send_segments() {
    searching_ = false;
    while (!sender_.paused() && keeps_up() && wants_reads()) {
        if (!cursor_ && !begin_segment()) {
            return;
        }
        read_segment();
    }
}

/// Opens the next segment's stream; false if there is no segment, or no stream for it.
bool WebSend::begin_segment() {
    auto &connection = link_->connection();
    if (segments_.size() >= kMaxWebSegments) {
        return false;
    }
    if (!planned_) {
        planned_ = sender_.next_segment();
        planned_prefetch_ = sender_.prefetched();
        searching_ = sender_.searching();
    }
    const auto stream = planned_ ? connection.open_unidirectional() : std::nullopt;
    if (!stream) {
        return false;
    }
    // The planner's VALIDATOR goes ahead of the data.
    send_messages();
    Segment segment{.plan = std::move(*planned_), .prefetched = planned_prefetch_};
    planned_.reset();
    segment.missing = plan_bytes(segment.plan);
    encode_segment_header(segment.plan, segment.header);
    if (segment.prefetched) {
        const auto type = static_cast<std::uint8_t>(StreamType::Prefetched);
        connection.write(*stream, ByteView{&type, 1}, false);
    }
    connection.write(*stream, segment.header, false);
    const bool empty = segment.missing == 0;
    segments_.insert_or_assign(*stream, std::move(segment));
    if (empty) {
        end_segment(*stream);
    } else {
        cursor_ = Cursor{.stream = *stream};
    }
    return true;
}

/// Requests the next bytes of the segment at the cursor.
void WebSend::read_segment() {
    if (!cursor_) {
        return;
    }
    const auto &plan = segments_.at(cursor_->stream).plan;
    while (cursor_->piece < plan.size() && cursor_->done == plan[cursor_->piece].length) {
        ++cursor_->piece;
        cursor_->done = 0;
    }
    if (cursor_->piece == plan.size()) {
        cursor_.reset();
        return;
    }
    const auto &piece = plan[cursor_->piece];
    const auto length = std::min(kWebReadBytes, piece.length - cursor_->done);
    request_read(cursor_->stream, {piece.index, piece.offset + cursor_->done, length});
    cursor_->done += length;
}

void WebSend::request_read(StreamId stream, const Piece &piece) {
    reads_.push_back({.stream = stream, .piece = piece});
    expected_ += piece.length;
    page_.on_read(piece.index, piece.offset, piece.length);
}

void WebSend::on_read(ByteView bytes, Timestamp now) {
    if (reads_.empty() || bytes.size() != reads_.front().piece.length) {
        on_read_failed(ErrorCode::SourceChanged, now);
        return;
    }
    now_ = now;
    const auto read = reads_.front();
    reads_.pop_front();
    expected_ -= read.piece.length;
    if (over()) {
        return;
    }
    if (read.stream < 0) {
        check_waits_ = false;
        check_->take_bytes(bytes);
        return;
    }
    const auto found = segments_.find(read.stream);
    if (found == segments_.end() || found->second.failed) {
        return;
    }
    auto &segment = found->second;
    segment.data.update(bytes);
    segment.missing -= bytes.size();
    auto copy = std::make_shared<Bytes>(bytes.size());
    std::ranges::copy(bytes, copy->begin());
    link_->connection().write(read.stream, Chunk{std::move(copy), bytes.size()}, false);
    if (segment.missing == 0) {
        end_segment(read.stream);
    }
}

void WebSend::on_read_failed(ErrorCode code, Timestamp now) {
    now_ = now;
    if (reads_.empty()) {
        return;
    }
    const auto read = reads_.front();
    reads_.pop_front();
    expected_ -= read.piece.length;
    if (over()) {
        return;
    }
    if (read.stream < 0) {
        check_waits_ = false;
        check_.reset();
        sender_.on_have_checked(read.piece.index, false);
        return;
    }
    const auto found = segments_.find(read.stream);
    if (found != segments_.end() && !found->second.failed) {
        found->second.failed = {read.piece.index, code};
        drop(read.stream);
    }
}

void WebSend::end_segment(StreamId stream) {
    auto &segment = segments_.at(stream);
    Blake3 hasher;
    hasher.update(segment.header);
    hasher.update(segment.data.finish());
    link_->connection().write(stream, hasher.finish(), true);
}

/// Bytes already sent can't be recalled: the whole stream is reset.
void WebSend::drop(StreamId stream) {
    link_->connection().reset(stream);
    if (cursor_ && cursor_->stream == stream) {
        cursor_.reset();
    }
}

void WebSend::set_paused(bool paused, Timestamp now) {
    now_ = now;
    if (paused) {
        sender_.pause();
    } else {
        sender_.resume();
    }
}

WebTotals WebSend::totals() const {
    return {.files = progress_.files,
            .bytes = progress_.bytes,
            .total_files = progress_.total_files,
            .total_bytes = progress_.total_bytes};
}

} // namespace thru
