#include "engine/share/chunk_listings.h"

#include <utility>

namespace thru {

ChunkListings::ChunkListings(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
                             std::shared_ptr<const SourceFiles> files, Sender &sender,
                             Scheduler::Task &task)
    : disk_(disk), strand_(std::move(strand)), fetch_strand_(disk.make_strand()),
      files_(std::move(files)), sender_(sender), lifetime_([&task] { task.wake(); }) {}

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

void ChunkListings::fetch_more() {
    if (fetches_.empty() || fetching_) {
        return;
    }
    fetching_ = true;
    const Fetch next = fetches_.front();
    if (!fetch_ || fetch_->index() != next.index) {
        fetch_ = std::make_shared<ChunkFetch>(files_, next.index);
    }
    disk_.fetch(
        fetch_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(next.index)},
        [fetch = fetch_, range = next.range] { return fetch->read(range); },
        [this](std::vector<Fetched> parts) {
            fetching_ = false;
            ByteRange &left = fetches_.front().range;
            for (Fetched &part : parts) {
                left.offset += part.bytes.size();
                left.length -= part.bytes.size();
                fetched_bytes_ += part.bytes.size();
                if (part.bytes.empty() || left.length == 0) {
                    fetches_.pop_front();
                }
                sender_.send_fetched(std::move(part));
            }
        });
}

} // namespace thru
