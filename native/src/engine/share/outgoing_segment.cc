#include "engine/share/outgoing_segment.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "compression/zstd.h"
#include "loop/thread_time.h"
#include "wire/segment_blocks.h"
#include "wire/varint.h"

namespace thru {

namespace {

static_assert(kBlockBytes == kChunkBytes);

constexpr std::uint64_t kSeveralDisks = std::numeric_limits<std::uint64_t>::max();

struct Encoded {
    Bytes bytes;
    std::size_t saved = 0;
    /// Time that trying to compress took.
    Timestamp took = 0;
};

/// Makes a block of `chunk`, after the type byte and header that it begins with.
Encoded encode(ByteView chunk, std::size_t header_bytes, bool tries) {
    Encoded encoded;
    const auto header = chunk.first(header_bytes);
    const auto plain = chunk.subspan(header_bytes);
    std::optional<Bytes> smaller;
    if (tries) {
        const auto begun = thread_time();
        smaller = compressed(plain);
        encoded.took = thread_time() - begun;
    }
    const auto block = smaller ? ByteView{*smaller} : plain;
    auto &out = encoded.bytes;
    out.reserve(header.size() + varint_bytes(block.size()) + block.size());
    append_bytes(out, header);
    if (!header.empty()) {
        out.front() = static_cast<std::uint8_t>(StreamType::CompressedSegment);
    }
    append_varint(out, block.size());
    append_bytes(out, block);
    encoded.saved = chunk.size() - std::min(chunk.size(), out.size());
    return encoded;
}

} // namespace

std::uint64_t disk_of(const SourceFiles &files, const SegmentPlan &plan) {
    const auto disk = files.disk(plan.front().index);
    const bool one = std::ranges::all_of(
        plan, [&](const Piece &piece) { return files.disk(piece.index) == disk; });
    return one ? disk : kSeveralDisks;
}

bool compresses(CompressionChoice &choice, const Connection &connection, const SegmentPlan &plan) {
    if (connection.is_near()) {
        return false;
    }
    const auto bytes = plan_bytes(plan);
    return choice.begins(bytes, bytes / kChunkBytes + 1, connection.path_rate());
}

OutgoingSegment::OutgoingSegment(SegmentCache::Reader reader, DiskPool &disk,
                                 std::shared_ptr<CompressionChoice> choice)
    : state_(std::make_shared<State>(
          State{.reader = std::move(reader), .disk = disk, .choice = std::move(choice)})) {
    if (state_->choice) {
        Bytes header;
        encode_segment_header(plan(), header);
        state_->header = header.size();
        state_->strand = disk.make_strand();
    }
}

std::size_t OutgoingSegment::next_bytes() const {
    return state_->read ? state_->read->size : state_->reader.next_bytes();
}

std::optional<SegmentCache::Outcome> OutgoingSegment::take() {
    auto &state = *state_;
    if (state.ready) {
        return std::exchange(state.ready, std::nullopt);
    }
    return state.read ? std::nullopt : begin(state, state.reader.take());
}

/// Returns what was read, unless it must be compressed first.
std::optional<SegmentCache::Outcome>
OutgoingSegment::begin(State &state, std::optional<SegmentCache::Outcome> next) {
    state.before.clear();
    if (!next || !*next) {
        return next;
    }
    state.taken = (*next)->size;
    if (!state.choice) {
        return next;
    }
    state.tries = state.choice->tries();
    if (state.tries || state.header > 0) {
        state.read = std::move(**next);
        return std::nullopt;
    }
    append_varint(state.before, state.taken);
    return next;
}

void OutgoingSegment::fetch(const Lifetime &owner, std::function<void()> ready) {
    if (state_->read) {
        compress(state_, owner, std::move(ready));
        return;
    }
    if (!state_->choice) {
        state_->reader.fetch(owner, std::move(ready));
        return;
    }
    // Waiters and jobs must not own the segment. The owner exists whenever they are called.
    state_->reader.fetch(owner, [left = std::weak_ptr(state_), &owner, ready = std::move(ready)] {
        const auto state = left.lock();
        if (state) {
            state->ready = begin(*state, state->reader.take());
        }
        if (state && state->read) {
            compress(state, owner, ready);
        } else {
            ready();
        }
    });
}

void OutgoingSegment::compress(const std::shared_ptr<State> &state, const Lifetime &owner,
                               std::function<void()> ready) {
    state->disk.fetch(
        state->strand, owner, {.lane = DiskLane::Data},
        [chunk = *std::exchange(state->read, std::nullopt),
         header = std::exchange(state->header, 0),
         tries = state->tries] { return encode(chunk.view(), header, tries); },
        [left = std::weak_ptr(state), ready = std::move(ready)](Encoded encoded) {
            if (const auto still = left.lock()) {
                if (still->tries) {
                    still->choice->on_tried(still->taken, encoded.saved, encoded.took);
                }
                const auto size = encoded.bytes.size();
                still->ready =
                    Chunk{.bytes = std::make_shared<Bytes>(std::move(encoded.bytes)), .size = size};
            }
            ready();
        });
}

} // namespace thru
