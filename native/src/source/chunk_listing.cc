#include "source/chunk_listing.h"

#include <algorithm>
#include <utility>

#include "source/have_check.h"
#include "wire/segment.h"

namespace thru {

namespace {

/// Bytes that are read at once for a fetch.
constexpr std::uint64_t kFetchBytes = 8 * kMaxFetchedBytes;

} // namespace

std::optional<Chunks> ChunkListing::step() {
    Chunks listed{.index = index_, .offset = end_};
    if (!file_.handle.is_open()) {
        auto opened = files_->open(index_);
        if (!opened) {
            return listed;
        }
        file_ = std::move(*opened);
    }
    if (!settled_) {
        // The file may have been touched, which may change its validator.
        const auto settled = files_->settle(index_, file_.version, file_.handle);
        if (!settled) {
            return listed;
        }
        settled_ = *settled;
        if (!settled_) {
            return std::nullopt;
        }
    }
    const std::uint64_t size = files_->manifest().file_size(index_);
    if (!chunks_) {
        chunks_.emplace(file_.handle, 0, size, *ChunkLengths::of(size));
    }
    while (end_ < size && listed.runs.size() < kMaxChunks &&
           end_ - listed.offset < HaveCheck::kStepBytes) {
        const auto chunk = chunks_->next();
        if (!chunk) {
            return Chunks{.index = index_, .offset = listed.offset};
        }
        listed.runs.push_back({.length = chunk->length, .hash = shortened(chunk->hash)});
        end_ += chunk->length;
    }
    listed.validator = files_->validator(index_);
    if (end_ == size) {
        // The validator is that of the listed bytes only if no newer version was settled since.
        // Nothing keeps their hashes, so a later unexplained change fails the file.
        files_->read_log().trust(index_);
        const auto now = files_->check(index_, file_.handle);
        if (!now || *now != file_.version) {
            listed.runs.clear();
        }
    }
    return listed;
}

bool ChunkListing::is_last(const Chunks &chunks) const {
    return chunks.runs.empty() || end_ == files_->manifest().file_size(index_);
}

bool RangeReader::read(std::uint64_t offset, MutableByteView out) {
    if (!file_.handle.is_open()) {
        auto opened = files_->open(index_);
        if (!opened) {
            return false;
        }
        file_ = std::move(*opened);
    }
    const auto got = fs::read_at(file_.handle, offset, out);
    const auto now = files_->check(index_, file_.handle);
    return got && *got == out.size() && now && *now == file_.version;
}

FileBlocks RangeReader::blocks(const ByteRange &range) {
    FileBlocks blocks{.index = index_, .offset = range.offset, .hashes = {}};
    Bytes bytes(static_cast<std::size_t>(range.length));
    if (!read(range.offset, bytes)) {
        return blocks;
    }
    for (ByteView left = bytes; !left.empty();) {
        const ByteView block = left.first(std::min<std::size_t>(left.size(), kFileBlockBytes));
        blocks.hashes.push_back(shortened(blake3_of(block)));
        left = left.subspan(block.size());
    }
    return blocks;
}

std::vector<Fetched> RangeReader::bytes(const ByteRange &range) {
    std::vector<Fetched> parts;
    std::uint64_t offset = range.offset;
    const std::uint64_t end = std::min(range.end(), offset + kFetchBytes);
    while (offset < end && (parts.empty() || !parts.back().bytes.empty())) {
        Fetched &part = parts.emplace_back(Fetched{.index = index_, .offset = offset, .bytes = {}});
        Bytes bytes(
            static_cast<std::size_t>(std::min<std::uint64_t>(end - offset, kMaxFetchedBytes)));
        if (read(offset, bytes)) {
            part.bytes = as_text(bytes);
            offset += bytes.size();
        }
    }
    return parts;
}

} // namespace thru
