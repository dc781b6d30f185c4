#include "web/web_segment.h"

#include <algorithm>

namespace thru {

namespace {

/// Large enough that a segment has few runs, small enough that a short segment wastes little.
constexpr std::size_t kRunBytes = 256 * 1024;

} // namespace

void WebSegment::begin() {
    plan_ = header_.plan();
    data_left_ = plan_bytes(plan_);
}

Result<> WebSegment::add(ByteView bytes) {
    held_ += bytes.size();
    auto data = bytes.first(std::min<std::uint64_t>(bytes.size(), data_left_));
    bytes = bytes.subspan(data.size());
    while (!data.empty()) {
        if (data_.empty() || filled_ == data_.back().size()) {
            data_.emplace_back(std::min<std::uint64_t>(kRunBytes, data_left_));
            filled_ = 0;
        }
        auto &run = data_.back();
        const auto part = data.first(std::min(data.size(), run.size() - filled_));
        std::ranges::copy(part, run.begin() + static_cast<std::ptrdiff_t>(filled_));
        filled_ += part.size();
        data_left_ -= part.size();
        data = data.subspan(part.size());
        // BLAKE3 hashes several of its chunks at once if it gets them at once.
        if (filled_ == run.size()) {
            hasher_.update(run);
        }
    }
    if (bytes.size() > hash_.size() - hash_bytes_) {
        return fail(ErrorCode::PeerProtocol, 0, "segment length differs from its header");
    }
    std::ranges::copy(bytes, hash_.begin() + static_cast<std::ptrdiff_t>(hash_bytes_));
    hash_bytes_ += bytes.size();
    return {};
}

bool WebSegment::is_right() const {
    Blake3 stream_hasher;
    stream_hasher.update(header_.bytes());
    stream_hasher.update(hasher_.finish());
    return digests_equal(hash_, stream_hasher.finish());
}

void WebSegment::each_run(
    const std::function<void(const Piece &piece, std::uint64_t offset, ByteView run)> &take) const {
    std::size_t at = 0;
    ByteView run;
    for (const auto &piece : plan_) {
        for (std::uint64_t done = 0; done < piece.length;) {
            if (run.empty()) {
                run = data_[at++];
            }
            const auto part = run.first(std::min<std::uint64_t>(run.size(), piece.length - done));
            take(piece, piece.offset + done, part);
            done += part.size();
            run = run.subspan(part.size());
        }
    }
}

} // namespace thru
