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

/// Null if the file may not be read.
std::shared_ptr<RangeReader> ChunkListings::reader(std::uint64_t index) {
    if (!range_ || range_->index() != index) {
        range_ = std::make_shared<RangeReader>(files_, index);
    }
    return sender_.offers(index) ? range_ : nullptr;
}

/// Blocks first: while a receiver waits for their bytes, it can ask for more.
void ChunkListings::answer_more(bool limited) {
    if (answering_ || (blocks_.empty() && fetches_.empty())) {
        return;
    }
    answering_ = true;
    if (!blocks_.empty()) {
        const ListBlocks next = blocks_.front();
        blocks_.pop_front();
        disk_.fetch(
            range_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(next.index)},
            [file = reader(next.index), next] {
                return file ? file->blocks(next.range)
                            : FileBlocks{
                                  .index = next.index, .offset = next.range.offset, .hashes = {}};
            },
            [this](FileBlocks blocks) {
                end_answer();
                sender_.send_answer(std::move(blocks));
            });
        return;
    }
    const Fetch next = fetches_.front();
    disk_.fetch(
        range_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(next.index)},
        [file = limited ? nullptr : reader(next.index), next] {
            return file ? file->bytes(next.range)
                        : std::vector{Fetched{
                              .index = next.index, .offset = next.range.offset, .bytes = {}}};
        },
        [this](std::vector<Fetched> parts) {
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
            end_answer();
        });
}

void ChunkListings::end_answer() {
    answering_ = false;
    if (blocks_.empty() && fetches_.empty()) {
        range_.reset();
    }
}

} // namespace thru
