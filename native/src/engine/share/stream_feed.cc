#include "engine/share/stream_feed.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace thru {

namespace {

/// Bytes read before the slowest receiver has them: covers a pause of the producer.
constexpr std::uint64_t kAhead = 32ULL << 20;
/// Bytes kept after they were sent, so they can be sent again. A receiver's disk can refuse
/// everything that the receiver has credit for.
constexpr std::uint64_t kBehind = 64ULL << 20;

} // namespace

StreamFeed::StreamFeed(EngineContext &context, std::shared_ptr<StreamSource> source,
                       const StreamItem &item, Listener listener)
    : context_(context), source_(std::move(source)), item_(item), listener_(std::move(listener)),
      strand_(context.disk.make_strand()), complete_(!item.awaits_producer) {}

Result<> StreamFeed::join(const SharePeer *receiver) {
    if (started_) {
        return fail(ErrorCode::StreamStarted, 0, "accepted after the stream had started");
    }
    if (over_) {
        return fail(ErrorCode::StreamBroken, 0, "its producer failed");
    }
    needed_from_.emplace(receiver, 0);
    started_ = needed_from_.size() >= std::max<std::size_t>(item_.receivers, 1);
    fill();
    return {};
}

void StreamFeed::release(const SharePeer *receiver, std::uint64_t offset) {
    const auto found = needed_from_.find(receiver);
    if (found != needed_from_.end() && found->second < offset) {
        found->second = offset;
        fill();
    }
}

void StreamFeed::leave(const SharePeer *receiver) {
    needed_from_.erase(receiver);
    fill();
}

void StreamFeed::fill() {
    if (!started_ || over_ || read_all_ || filling_ || needed_from_.empty()) {
        return;
    }
    const auto needed = std::ranges::min(needed_from_ | std::views::values);
    if (end_ - needed >= kAhead) {
        return;
    }
    source_->forget_before(needed - std::min(needed, kBehind));
    filling_ = true;
    context_.disk.fetch(
        strand_, lifetime_, {.lane = DiskLane::Data}, [source = source_] { return source->fill(); },
        [this](const Result<StreamSource::Filled> &filled) { on_filled(filled); });
}

void StreamFeed::conclude(bool complete) {
    if (over_) {
        return;
    }
    if (!complete) {
        break_off(Error{ErrorCode::StreamBroken, 0, "its producer failed"});
        return;
    }
    complete_ = true;
    if (read_all_) {
        over_ = true;
        listener_.on_grown(end_, true);
    }
}

void StreamFeed::break_off(const Error &error) {
    over_ = true;
    listener_.on_broken(error);
}

void StreamFeed::on_filled(const Result<StreamSource::Filled> &filled) {
    filling_ = false;
    if (over_) {
        return;
    }
    if (!filled) {
        break_off(filled.error());
        return;
    }
    if (item_.size && (filled->end > *item_.size || (filled->ended && filled->end < *item_.size))) {
        break_off(
            Error{ErrorCode::StreamBroken, 0, "it has another size than it was said to have"});
        return;
    }
    read_all_ = filled->ended;
    over_ = read_all_ && complete_;
    if (end_ != filled->end || over_) {
        end_ = filled->end;
        listener_.on_grown(end_, over_);
    }
    fill();
}

} // namespace thru
