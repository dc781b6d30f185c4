// Shares whose items change: new contents take the place of the present ones. Each receiver keeps
// the contents that it was offered, because both sides address entries by index.
#include <algorithm>
#include <utility>

#include "engine/share/share_session.h"

namespace thru {

void ShareSession::set_followable(bool followable) {
    followable_ = followable;
    for (const auto &[peer, receiver] : receivers_) {
        receiver->set_followable(followable);
    }
}

void ShareSession::rescan() {
    if (contents_->has_stream()) {
        return;
    }
    // A scan may miss changes that are made meanwhile.
    rescan_wanted_ = pending_ != nullptr || !contents_->complete();
    if (rescan_wanted_) {
        return;
    }
    items_changed_ = false;
    pending_ = make_contents();
    pending_->scan_again(*contents_);
}

/// Keeps the present contents if an item can't be found: its disk may be missing, which must not
/// look as if the files were deleted.
void ShareSession::compare() {
    const bool whole = pending_->whole() && pending_->manifest()->size() > 0;
    if (!whole) {
        pending_->report_held_problems();
    }
    comparison_ = std::make_unique<Lifetime>();
    context_.disk.fetch(
        context_.disk.make_strand(), *comparison_, {},
        [whole, before = contents_->files(), removed = contents_->removed(),
         before_end = contents_->manifest()->size(), now = pending_->files(),
         now_end = pending_->manifest()->size()] {
            return whole ? difference_of(*before, before_end, removed, *now, now_end)
                         : Difference::None;
        },
        [this, whole](Difference difference) {
            const bool other = whole && !contents_->has_attributes_of(*pending_);
            adopt(items_changed_ ? Difference::None : other ? Difference::Entries : difference);
        });
}

void ShareSession::adopt(Difference difference) {
    const Timestamp now = context_.loop.now();
    if (difference == Difference::None) {
        pending_.reset();
    } else {
        contents_->retire();
        outdated_.push_back(contents_);
        contents_ = std::exchange(pending_, nullptr);
        contents_->publish();
        limit_outdated(now);
    }
    if (difference == Difference::Entries) {
        for (const auto &[peer, receiver] : receivers_) {
            if (&receiver->contents() != contents_.get()) {
                receiver->outdate(now);
            }
        }
    }
    if (std::exchange(rescan_wanted_, false)) {
        rescan();
    }
}

/// Bounds the memory for contents that only some receivers need.
void ShareSession::limit_outdated(Timestamp now) {
    std::erase_if(outdated_, [](const auto &contents) { return contents.expired(); });
    std::uint64_t entries = 0;
    for (auto contents = outdated_.rbegin(); contents != outdated_.rend(); ++contents) {
        const auto kept = contents->lock();
        entries += kept->manifest()->size();
        for (const auto &[peer, receiver] : receivers_) {
            if (entries > kMaxManifestEntries && &receiver->contents() == kept.get()) {
                receiver->leave(now);
            }
        }
    }
}

} // namespace thru
