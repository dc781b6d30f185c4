#include "fs/direct_writer.h"

#include <algorithm>
#include <utility>

#include "fs/writeback.h"

namespace thru::fs {

namespace {

constexpr std::size_t kMaxBytes = 1ULL << 20;
/// Slower disks, and arrays of them, gain more from a system that orders and joins their writes.
constexpr std::chrono::nanoseconds kMaxTimePerByte{4};
constexpr std::chrono::milliseconds kPatience{50};

} // namespace

std::unique_ptr<DirectWriter> DirectWriter::of(const FileHandle &file) {
    auto direct = open_direct(file);
    return direct ? std::unique_ptr<DirectWriter>(new DirectWriter(std::move(*direct))) : nullptr;
}

SystemResult<> DirectWriter::write(const FileHandle &file, std::uint64_t offset, ByteView bytes) {
    const auto head = static_cast<std::size_t>(-offset % kDirectAlignment);
    if (direct_ && bytes.size() >= head + kMinBytes) {
        if (auto put = write_at(file, offset, bytes.first(head)); !put) {
            return put;
        }
        offset += head;
        bytes = bytes.subspan(head);
        while (direct_ && bytes.size() >= kMinBytes) {
            const std::size_t blocks =
                std::min(bytes.size(), kMaxBytes) / kDirectAlignment * kDirectAlignment;
            if (write_blocks(offset, bytes.first(blocks))) {
                offset += blocks;
                bytes = bytes.subspan(blocks);
            }
        }
    }
    return write_at(file, offset, bytes);
}

/// False if the cache must take them.
bool DirectWriter::write_blocks(std::uint64_t offset, ByteView blocks) {
    memory_.resize(std::max(memory_.size(), blocks.size() + kDirectAlignment));
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    const auto aligned =
        MutableByteView(memory_).subspan(-address % kDirectAlignment, blocks.size());
    std::ranges::copy(blocks, aligned.begin());
    const auto begun = std::chrono::steady_clock::now();
    const bool written = write_at(*direct_, offset, aligned).has_value();
    took_ += std::chrono::steady_clock::now() - begun;
    written_ += blocks.size();
    if (!written || took_ > kPatience + written_ * kMaxTimePerByte) {
        direct_.reset();
        memory_ = {};
    }
    return written;
}

} // namespace thru::fs
