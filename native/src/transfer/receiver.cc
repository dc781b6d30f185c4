#include "transfer/receiver.h"

#include <cassert>
#include <utility>

namespace thru {

namespace {

/// Gaps in files of several segments that may be open at once. A sender goes through its files in
/// order, so a handful is usual; this many cost about 4 MiB.
constexpr std::size_t kMaxRanges = 65'536;

std::unexpected<Error> breach(const char *what) { return fail(ErrorCode::PeerProtocol, 0, what); }

} // namespace

Receiver::Receiver(std::string own_name) : manifest_(std::make_shared<ManifestTable>()) {
    messages_.emplace_back(Hello{.name = std::move(own_name)});
}

Result<> Receiver::on_control(const ControlMessage &message) {
    if (const auto *hello = std::get_if<Hello>(&message)) {
        return on_hello(*hello);
    }
    if (const auto *bye = std::get_if<Bye>(&message)) {
        return on_bye(*bye);
    }
    if (phase_ == Phase::Greeting) {
        return breach("no hello");
    }
    if (const auto *offer = std::get_if<Offer>(&message)) {
        return on_offer(*offer);
    }
    if (const auto *failure = std::get_if<EntryFailed>(&message)) {
        return on_remote_failure(*failure);
    }
    return breach("a message that only receivers send");
}

Result<> Receiver::on_hello(const Hello &hello) {
    if (phase_ != Phase::Greeting) {
        return breach("second hello");
    }
    if (hello.version != Hello{}.version) {
        return fail(ErrorCode::PeerVersion, static_cast<std::int64_t>(hello.version));
    }
    phase_ = Phase::Listing;
    events_.emplace_back(ReceiverGreeted{hello.name});
    return {};
}

Result<> Receiver::on_offer(const Offer &offer) {
    if (offer_) {
        return breach("second offer");
    }
    offer_ = offer;
    return check_offered();
}

Result<> Receiver::on_manifest_bytes(ByteView bytes) {
    std::vector<ManifestEntry> entries;
    if (auto fed = decoder_.feed(bytes, entries); !fed) {
        return fed;
    }
    for (const ManifestEntry &entry : entries) {
        if (auto added = manifest_->add(entry); !added) {
            return added;
        }
    }
    return check_offered();
}

/// Manifest and offer travel on different streams: either can be whole first.
Result<> Receiver::check_offered() {
    if (phase_ != Phase::Listing || !offer_ || !decoder_.finished()) {
        return {};
    }
    if (offer_->files != manifest_->files() || offer_->folders != manifest_->folders() ||
        offer_->bytes != manifest_->bytes()) {
        return breach("offer and manifest differ");
    }
    phase_ = Phase::Offered;
    states_.resize(manifest_->size());
    events_.emplace_back(ReceiverOffered{});
    return {};
}

Result<> Receiver::on_remote_failure(const EntryFailed &failure) {
    if (failure.index >= states_.size()) {
        return breach("failure of an entry that was not offered");
    }
    if (mark_failed(failure.index, failure.code)) {
        check_finished();
    }
    return {};
}

Result<> Receiver::on_bye(const Bye &bye) {
    if (phase_ == Phase::Finished) {
        events_.emplace_back(ReceiverReleased{});
        return {};
    }
    if (!bye.code) {
        return breach("good end before done");
    }
    return fail(*bye.code, 0, "the sender said so");
}

void Receiver::accept() {
    assert(phase_ == Phase::Offered);
    phase_ = Phase::Receiving;
    messages_.emplace_back(Select{});
    check_finished();
}

Result<> Receiver::on_segment_started(const SegmentPlan &plan) {
    if (phase_ != Phase::Receiving) {
        return breach("data that was not asked for");
    }
    for (const Piece &piece : plan) {
        if (auto claimed = claim(piece); !claimed) {
            return claimed;
        }
    }
    return {};
}

Result<> Receiver::claim(const Piece &piece) {
    if (piece.index >= states_.size() || manifest_->kind(piece.index) == EntryKind::Folder) {
        return breach("data of an entry that is no file");
    }
    const std::uint64_t size = manifest_->file_size(piece.index);
    if (piece.offset > size || piece.length > size - piece.offset) {
        return breach("data beyond the end of its file");
    }
    EntryState &state = states_[piece.index];
    if (state == EntryState::Failed) {
        return {}; // it was on its way when it failed
    }
    if (is_whole(piece)) {
        if (state != EntryState::Waiting) {
            return breach("the same file twice");
        }
        state = EntryState::Arriving;
        return {};
    }
    return claim_part(piece);
}

Result<> Receiver::claim_part(const Piece &piece) {
    EntryState &state = states_[piece.index];
    if (piece.length == 0) {
        return breach("an empty part of a file");
    }
    if (state != EntryState::Waiting && state != EntryState::Partial) {
        return breach("the same data twice");
    }
    PartialFile &file = partial_[piece.index];
    state = EntryState::Partial;
    const std::size_t before = file.claimed.count();
    if (!file.claimed.add(piece.offset, piece.offset + piece.length)) {
        return breach("the same data twice");
    }
    ranges_ = ranges_ - before + file.claimed.count();
    return ranges_ <= kMaxRanges ? Result<>{} : breach("too many gaps");
}

void Receiver::on_segment_written(const SegmentPlan &plan, std::uint64_t renamed) {
    for (const Piece &piece : plan) {
        EntryState &state = states_[piece.index];
        if (state == EntryState::Arriving) {
            state = EntryState::Named;
            ++durable_.files;
            durable_.bytes += piece.length;
        } else if (state == EntryState::Partial) {
            PartialFile &file = partial_[piece.index];
            file.written += piece.length;
            durable_.bytes += piece.length;
            if (file.written == manifest_->file_size(piece.index)) {
                drop_partial(piece.index);
                state = EntryState::Whole;
                events_.emplace_back(ReceiverFileWhole{piece.index});
            }
        }
    }
    renamed_ += renamed;
    check_finished();
}

void Receiver::on_segment_abandoned(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        EntryState &state = states_[piece.index];
        if (state == EntryState::Arriving) {
            state = EntryState::Waiting;
        } else if (state == EntryState::Partial) {
            PartialFile &file = partial_[piece.index];
            const std::size_t before = file.claimed.count();
            file.claimed.remove(piece.offset, piece.offset + piece.length);
            ranges_ = ranges_ - before + file.claimed.count();
            if (file.claimed.empty()) {
                drop_partial(piece.index);
                state = EntryState::Waiting;
            }
        }
    }
}

void Receiver::on_file_named(std::uint64_t index, bool renamed) {
    if (states_[index] != EntryState::Whole) {
        return; // the sender took it back while it was being named
    }
    states_[index] = EntryState::Named;
    ++durable_.files;
    renamed_ += renamed ? 1 : 0;
    check_finished();
}

void Receiver::on_entry_failed(std::uint64_t index, ErrorCode code) {
    if (mark_failed(index, code)) {
        messages_.emplace_back(EntryFailed{.index = index, .code = code});
        check_finished();
    }
}

bool Receiver::mark_failed(std::uint64_t index, ErrorCode code) {
    EntryState &state = states_[index];
    if (phase_ == Phase::Finished || state == EntryState::Named || state == EntryState::Failed) {
        return false;
    }
    if (state == EntryState::Partial) {
        durable_.bytes -= partial_[index].written;
        drop_partial(index);
    } else if (state == EntryState::Whole) {
        durable_.bytes -= manifest_->file_size(index);
    }
    state = EntryState::Failed;
    ++problems_;
    failed_files_ += manifest_->kind(index) == EntryKind::File ? 1 : 0;
    events_.emplace_back(ReceiverEntryFailed{.index = index, .code = code});
    return true;
}

void Receiver::drop_partial(std::uint64_t index) {
    const auto file = partial_.find(index);
    ranges_ -= file->second.claimed.count();
    partial_.erase(file);
}

bool Receiver::is_whole(const Piece &piece) const {
    return piece.offset == 0 && piece.length == manifest_->file_size(piece.index);
}

void Receiver::check_finished() {
    if (phase_ != Phase::Receiving || durable_.files + failed_files_ != manifest_->files()) {
        return;
    }
    phase_ = Phase::Finished;
    const Done done{.files = durable_.files,
                    .bytes = durable_.bytes,
                    .problems = problems_,
                    .renamed = renamed_};
    messages_.emplace_back(done);
    events_.emplace_back(ReceiverFinished{done});
}

std::shared_ptr<const ManifestTable> Receiver::manifest() const { return manifest_; }
std::uint64_t Receiver::files() const { return durable_.files; }
std::uint64_t Receiver::bytes() const { return durable_.bytes; }

std::vector<ControlMessage> Receiver::take_messages() {
    const bool changed = durable_.files != reported_.files || durable_.bytes != reported_.bytes;
    if (phase_ == Phase::Receiving && changed) {
        reported_ = durable_;
        messages_.emplace_back(durable_);
    }
    return std::exchange(messages_, {});
}

std::vector<ReceiverEvent> Receiver::take_events() { return std::exchange(events_, {}); }

} // namespace thru
