#include "engine/share/chunk_listings.h"

#include <utility>

namespace thru {

ChunkListings::ChunkListings(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
                             std::shared_ptr<const SourceFiles> files, Sender &sender,
                             Scheduler::Task &task)
    : disk_(disk), strand_(std::move(strand)), files_(std::move(files)), sender_(sender),
      lifetime_([&task] { task.wake(); }) {}

void ChunkListings::list_more() {
    if (!listing_ && !wanted_.empty()) {
        listing_ = std::make_shared<ChunkListing>(files_, wanted_.front());
        wanted_.pop_front();
    }
    if (!listing_ || reading_) {
        return;
    }
    reading_ = true;
    disk_.fetch(
        strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(listing_->index())},
        [listing = listing_] { return listing->step(); },
        [this](std::optional<Chunks> chunks) {
            reading_ = false;
            if (chunks && listing_->is_last(*chunks)) {
                listing_.reset();
            }
            if (chunks) {
                sender_.send_chunks(std::move(*chunks));
            }
        });
}

} // namespace thru
