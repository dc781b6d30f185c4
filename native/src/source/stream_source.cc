#include "source/stream_source.h"

#include <algorithm>
#include <chrono>

#include "fs/standard_stream.h"

namespace thru {

namespace {

constexpr std::uint64_t kBlockBytes = 256ULL << 10;
/// Maximum bytes per call, so that readers get data meanwhile.
constexpr std::uint64_t kMaxAtOnce = 1ULL << 20;
/// Maximum wait for the first byte; the pool replaces a thread that hangs longer.
constexpr std::chrono::milliseconds kFirstWait{200};
/// Maximum wait for further bytes: gives slow producers larger segments without noticeable delay.
constexpr std::chrono::milliseconds kMoreWait{20};
constexpr int kMaxReads = 64;

} // namespace

Result<StreamSource::Filled> StreamSource::fill() {
    Filled filled{.end = window_.lock()->end};
    const auto begin = filled.end;
    auto wait = kFirstWait;
    for (int reads = 0; reads < kMaxReads && filled.end - begin < kMaxAtOnce; ++reads) {
        std::shared_ptr<Bytes> block;
        {
            const auto window = window_.lock();
            if (window->begin + window->blocks.size() * kBlockBytes == window->end) {
                window->blocks.push_back(std::make_shared<Bytes>(kBlockBytes));
            }
            block = window->blocks.back();
        }
        const auto room = MutableByteView{*block}.subspan(filled.end % kBlockBytes);
        const auto flow = fs::read_stream(descriptor_, room, wait);
        if (!flow) {
            return fail(ErrorCode::StreamBroken, flow.error().number, "reading the stream failed");
        }
        filled.end += flow->bytes;
        filled.ended = flow->ended;
        // Only now may other threads read these bytes.
        window_.lock()->end = filled.end;
        if (flow->bytes == 0) {
            break;
        }
        wait = kMoreWait;
    }
    return filled;
}

Result<> StreamSource::read(std::uint64_t offset, MutableByteView out) const {
    while (!out.empty()) {
        std::shared_ptr<const Bytes> block;
        std::uint64_t there = 0;
        {
            const auto window = window_.lock();
            if (offset < window->begin || offset + out.size() > window->end) {
                return fail(ErrorCode::StreamBroken, 0, "these bytes are no longer kept");
            }
            block = window->blocks[(offset - window->begin) / kBlockBytes];
            there = kBlockBytes - offset % kBlockBytes;
        }
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(there, out.size()));
        std::ranges::copy(ByteView{*block}.subspan(offset % kBlockBytes, size), out.begin());
        offset += size;
        out = out.subspan(size);
    }
    return {};
}

void StreamSource::forget_before(std::uint64_t begin) {
    const auto window = window_.lock();
    while (!window->blocks.empty() && window->begin + kBlockBytes <= std::min(begin, window->end)) {
        window->blocks.pop_front();
        window->begin += kBlockBytes;
    }
}

std::uint64_t StreamSource::kept_bytes() const {
    return window_.lock()->blocks.size() * kBlockBytes;
}

} // namespace thru
