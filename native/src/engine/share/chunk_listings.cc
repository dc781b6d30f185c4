#include "engine/share/chunk_listings.h"

#include <utility>

namespace thru {

ChunkListings::ChunkListings(DiskPool &disk, std::shared_ptr<DiskPool::Strand> strand,
                             std::shared_ptr<const SourceFiles> files, Sender &sender,
                             Scheduler::Task &task)
    : disk_(disk), strand_(std::move(strand)), range_strand_(disk.make_strand()),
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

void ChunkListings::use_file(std::uint64_t index) {
    if (!range_ || range_->index() != index) {
        range_ = std::make_shared<RangeReader>(files_, index);
    }
}

/// FileBlocks first: while a receiver waits for their bytes, it can ask for more.
void ChunkListings::answer_more() {
    if (answering_ || (blocks_.empty() && fetches_.empty())) {
        return;
    }
    answering_ = true;
    if (!blocks_.empty()) {
        const ListBlocks next = blocks_.front();
        blocks_.pop_front();
        use_file(next.index);
        disk_.fetch(
            range_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(next.index)},
            [file = range_, range = next.range] { return file->blocks(range); },
            [this](FileBlocks blocks) {
                answering_ = false;
                sender_.send_answer(std::move(blocks));
            });
        return;
    }
    const Fetch next = fetches_.front();
    use_file(next.index);
    disk_.fetch(
        range_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(next.index)},
        [file = range_, range = next.range] { return file->bytes(range); },
        [this](std::vector<Fetched> parts) {
            answering_ = false;
            ByteRange &left = fetches_.front().range;
            for (Fetched &part : parts) {
                left.offset += part.bytes.size();
                left.length -= part.bytes.size();
                fetched_bytes_ += part.bytes.size();
                if (part.bytes.empty() || left.length == 0) {
                    fetches_.pop_front();
                }
                sender_.send_answer(std::move(part));
            }
        });
}

} // namespace thru
