#include "transfer/sender.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

namespace thru {

namespace {

std::unexpected<Error> unexpected_message(const char *what) {
    return fail(ErrorCode::PeerProtocol, 0, what);
}

} // namespace

Sender::Sender(std::shared_ptr<const ManifestTable> manifest, std::string own_name)
    : manifest_(std::move(manifest)) {
    messages_.emplace_back(Hello{.name = std::move(own_name)});
}

Result<> Sender::on_control(const ControlMessage &message) {
    return std::visit(
        [this](const auto &content) -> Result<> {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, Hello>) {
                return on_hello(content);
            } else if constexpr (std::is_same_v<Content, Select>) {
                return on_select();
            } else if constexpr (std::is_same_v<Content, Durable>) {
                return on_durable(content);
            } else if constexpr (std::is_same_v<Content, EntryFailed>) {
                return on_remote_failure(content);
            } else if constexpr (std::is_same_v<Content, Done>) {
                return on_done(content);
            } else if constexpr (std::is_same_v<Content, Bye>) {
                return on_bye(content);
            } else {
                return unexpected_message("a receiver makes no offer");
            }
        },
        message);
}

Result<> Sender::on_hello(const Hello &hello) {
    if (phase_ != Phase::Greeting) {
        return unexpected_message("second hello");
    }
    if (hello.version != Hello{}.version) {
        return fail(ErrorCode::PeerVersion, static_cast<std::int64_t>(hello.version));
    }
    phase_ = Phase::Offering;
    events_.emplace_back(SenderGreeted{hello.name});
    return {};
}

Result<> Sender::on_select() {
    if (phase_ != Phase::Offering || !manifest_complete_) {
        return unexpected_message("select without an offer");
    }
    phase_ = Phase::Sending;
    events_.emplace_back(SenderAccepted{});
    return {};
}

Result<> Sender::on_durable(const Durable &durable) {
    if (phase_ != Phase::Sending) {
        return unexpected_message("nothing can be written yet");
    }
    // For people to see, nothing else: what is too much is no reason to end the transfer.
    events_.emplace_back(SenderProgress{.files = std::min(durable.files, manifest_->files()),
                                        .bytes = std::min(durable.bytes, manifest_->bytes())});
    return {};
}

Result<> Sender::on_remote_failure(const EntryFailed &failure) {
    // Folders are made before the receiver selects, so failures come before it too.
    const bool expected = phase_ == Phase::Offering || phase_ == Phase::Sending;
    if (!expected || failure.index >= failed_.size()) {
        return unexpected_message("failure of an entry that was not offered");
    }
    mark_failed(failure.index, failure.code);
    return {};
}

Result<> Sender::on_done(const Done &done) {
    if (phase_ != Phase::Sending || done.files > manifest_->files() ||
        done.bytes > manifest_->bytes() || done.problems > manifest_->size() ||
        done.renamed > done.files) {
        return unexpected_message("done does not fit the offer");
    }
    phase_ = Phase::Finished;
    messages_.emplace_back(Bye{});
    events_.emplace_back(SenderFinished{done});
    return {};
}

Result<> Sender::on_bye(const Bye &bye) {
    if (phase_ == Phase::Finished) {
        return {};
    }
    if (!bye.code) {
        return unexpected_message("good end before done");
    }
    return fail(*bye.code, 0, "the receiver said so");
}

void Sender::on_manifest_complete() {
    assert(!manifest_complete_);
    manifest_complete_ = true;
    failed_.resize(manifest_->size());
    messages_.emplace_back(Offer{
        .files = manifest_->files(), .folders = manifest_->folders(), .bytes = manifest_->bytes()});
}

std::optional<SegmentPlan> Sender::next_segment() {
    if (phase_ != Phase::Sending) {
        return std::nullopt;
    }
    if (auto plan = next_repeated()) {
        return plan;
    }
    SegmentPlan plan = next_in_order();
    return plan.empty() ? std::nullopt : std::optional(std::move(plan));
}

std::optional<SegmentPlan> Sender::next_repeated() {
    while (!again_.empty()) {
        SegmentPlan plan = std::move(again_.front());
        again_.pop_front();
        std::erase_if(plan, [this](const Piece &piece) { return failed_[piece.index]; });
        if (!plan.empty()) {
            return plan;
        }
    }
    return std::nullopt;
}

/// Whole files and the tail of a large one fill a segment up; only what is larger than a segment
/// is cut, so nearly every small file lies whole in one segment and never needs a second visit.
SegmentPlan Sender::next_in_order() {
    SegmentPlan plan;
    std::uint64_t room = kSegmentBytes;
    while (next_index_ < manifest_->size() && plan.size() < kMaxPieces) {
        if (manifest_->kind(next_index_) == EntryKind::Folder || failed_[next_index_]) {
            ++next_index_;
            next_offset_ = 0;
            continue;
        }
        const std::uint64_t left = manifest_->file_size(next_index_) - next_offset_;
        if (left > room && !plan.empty()) {
            break;
        }
        const std::uint64_t length = std::min(left, room);
        plan.push_back({.index = next_index_, .offset = next_offset_, .length = length});
        room -= length;
        next_offset_ += length;
        if (length == left) {
            ++next_index_;
            next_offset_ = 0;
        } else {
            break;
        }
    }
    return plan;
}

void Sender::on_entry_failed(const SegmentPlan &plan, std::uint64_t index, ErrorCode code) {
    if (mark_failed(index, code)) {
        messages_.emplace_back(EntryFailed{.index = index, .code = code});
    }
    SegmentPlan rest = plan;
    std::erase_if(rest, [index](const Piece &piece) { return piece.index == index; });
    if (!rest.empty()) {
        again_.push_back(std::move(rest));
    }
}

bool Sender::mark_failed(std::uint64_t index, ErrorCode code) {
    if (failed_[index]) {
        return false;
    }
    failed_[index] = true;
    events_.emplace_back(SenderEntryFailed{.index = index, .code = code});
    return true;
}

std::vector<ControlMessage> Sender::take_messages() { return std::exchange(messages_, {}); }

std::vector<SenderEvent> Sender::take_events() { return std::exchange(events_, {}); }

} // namespace thru
