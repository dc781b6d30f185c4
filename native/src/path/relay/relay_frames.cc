#include "path/relay/relay_frames.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "path/relay/relay_channel.h"

namespace thru {

namespace {

/// Type, length, cookie and transaction (RFC 8489 section 5).
constexpr std::size_t kStunHeaderBytes = 20;
/// STUN begins with bits 00, ChannelData with 01.
constexpr std::uint64_t kFirstChannelType = 0x4000;
constexpr std::uint64_t kFirstForeignType = 0x8000;

/// RFC 8489 section 14.
constexpr std::size_t kCookieAndTransactionBytes = 16;
constexpr std::uint64_t kAllocateType = 0x0003;
constexpr std::uint64_t kUsernameAttribute = 0x0006;

std::size_t aligned(std::uint64_t bytes) {
    return (bytes + kStreamAlignment - 1) / kStreamAlignment * kStreamAlignment;
}

} // namespace

std::optional<std::size_t> relay_frame_bytes(ByteView stream) {
    ByteReader reader(stream);
    const auto type = reader.big_endian(2);
    if (!type) {
        return 0;
    }
    if (*type >= kFirstForeignType) {
        return std::nullopt;
    }
    const auto length = reader.big_endian(2);
    if (!length) {
        return 0;
    }
    if (*type < kFirstChannelType) {
        return *length % kStreamAlignment == 0 ? std::optional{kStunHeaderBytes + *length}
                                               : std::nullopt;
    }
    return kChannelHeaderBytes + aligned(*length);
}

std::optional<AllocateRequest> parse_allocate_request(ByteView frame) {
    ByteReader reader(frame);
    const auto type = reader.big_endian(2);
    const auto length = reader.big_endian(2);
    if (!reader.bytes(kCookieAndTransactionBytes) || type != kAllocateType ||
        *length != reader.left()) {
        return std::nullopt;
    }
    AllocateRequest request;
    while (reader.left() > 0) {
        const auto attribute = reader.big_endian(2);
        const auto size = reader.big_endian(2);
        const auto value = size ? reader.bytes(aligned(*size)) : std::nullopt;
        if (!value) {
            return std::nullopt;
        }
        if (attribute == kUsernameAttribute && !request.user) {
            request.user = as_text(value->first(*size));
        }
    }
    return request;
}

bool RelayFrames::receive(ByteView bytes, const std::function<void(ByteView frame)> &take) {
    while (!bytes.empty()) {
        if (begun_.empty()) {
            const auto size = relay_frame_bytes(bytes);
            if (!size) {
                return false;
            }
            if (*size == 0 || *size > bytes.size()) {
                begun_.assign(bytes.begin(), bytes.end());
                return true;
            }
            take(bytes.first(*size));
            bytes = bytes.subspan(*size);
            continue;
        }
        // Complete the length first, then the rest.
        const auto known = relay_frame_bytes(begun_);
        if (!known) {
            return false;
        }
        const auto wanted = *known > 0 ? *known : kChannelHeaderBytes;
        const auto more = std::min(wanted - begun_.size(), bytes.size());
        append_bytes(begun_, bytes.first(more));
        bytes = bytes.subspan(more);
        const auto size = relay_frame_bytes(begun_);
        if (!size) {
            return false;
        }
        if (*size == begun_.size()) {
            take(begun_);
            begun_.clear();
        }
    }
    return true;
}

} // namespace thru
