#include "engine/stream_feed.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace thru {

namespace {

/// What is read before the slowest receiver has it: outlasts a pause of the producer, and bounds
/// the pace.
constexpr std::uint64_t kAhead = 32ULL << 20;
/// What is kept behind it, so that it can come once more. All that a receiver has credit for can
/// be refused by its disk.
constexpr std::uint64_t kBehind = 64ULL << 20;

} // namespace

StreamFeed::StreamFeed(EngineContext &context, std::shared_ptr<StreamSource> source,
                       std::size_t receivers, Listener listener)
    : context_(context), source_(std::move(source)),
      receivers_(std::max<std::size_t>(receivers, 1)), listener_(std::move(listener)),
      strand_(context.disk.make_strand()) {}

Result<> StreamFeed::join(const SharePeer *receiver) {
    if (started_) {
        return fail(ErrorCode::StreamStarted, 0, "accepted after the stream had started");
    }
    needed_from_.emplace(receiver, 0);
    started_ = needed_from_.size() >= receivers_;
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
    if (!started_ || over_ || filling_ || needed_from_.empty()) {
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

void StreamFeed::on_filled(const Result<StreamSource::Filled> &filled) {
    filling_ = false;
    if (!filled) {
        over_ = true;
        listener_.on_broken(filled.error());
        return;
    }
    over_ = filled->ended;
    if (end_ != filled->end || filled->ended) {
        end_ = filled->end;
        listener_.on_grown(end_, over_);
    }
    fill();
}

} // namespace thru
