#include "wire/manifest.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "wire/varint.h"

namespace thru {

namespace {

// The flags byte of a record.
constexpr std::uint8_t kKindMask = 0x03;
constexpr std::uint8_t kCheckpoint = 0x03;
constexpr std::uint8_t kGap = 0x07;
constexpr std::uint8_t kExecutable = 0x04;
/// The mtime is absolute, in eight bytes: its difference to the previous one needs over 62 bits.
constexpr std::uint8_t kWideMtime = 0x08;
constexpr std::uint8_t kText = 0x10;
constexpr std::uint8_t kSparse = 0x20;
constexpr std::uint8_t kStream = 0x40;
constexpr std::size_t kWideMtimeBytes = 8;

/// Size of the longest record, a link; bounds the memory for an incomplete record.
constexpr std::size_t kMaxRecordBytes = 1 + 4 * kMaxVarintBytes + 2 * kMaxPathBytes;

std::uint8_t flags_of(const ManifestEntry &entry) {
    return static_cast<std::uint8_t>(
        static_cast<std::uint8_t>(entry.kind) | (entry.executable ? kExecutable : 0) |
        (entry.text ? kText : 0) | (entry.sparse ? kSparse : 0) | (entry.stream ? kStream : 0));
}

bool are_known(std::uint8_t flags) {
    const bool file = (flags & kKindMask) == static_cast<std::uint8_t>(EntryKind::File);
    const auto allowed =
        kKindMask | kWideMtime | (file ? kExecutable | kText | kSparse | kStream : 0);
    const bool plain = (flags & (kExecutable | kSparse)) == 0;
    const bool known = (flags & ~allowed) == 0 && (plain || (flags & kText) == 0);
    // A stream has no other flags.
    return known && ((flags & kStream) == 0 || (flags & (kExecutable | kText | kSparse)) == 0);
}

/// Differences are modulo 2^64, so every pair of times has one.
std::uint64_t zigzag_difference(std::int64_t from, std::int64_t to) {
    const auto difference = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    const auto sign = std::uint64_t{0} - (difference >> 63);
    return difference << 1 ^ sign;
}

std::int64_t add_zigzag(std::int64_t from, std::uint64_t zigzag) {
    const auto difference = zigzag >> 1 ^ (std::uint64_t{0} - (zigzag & 1));
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + difference);
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
    const auto ends = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(ends.in1 - a.begin());
}

Result<> check_path(std::string_view path) {
    if (path.contains('\0')) {
        return fail(ErrorCode::PeerProtocol, 0, "path with a zero byte");
    }
    for (std::size_t depth = 1;; ++depth) {
        const auto slash = path.find('/');
        const auto component = path.substr(0, slash);
        if (component.empty() || component == "." || component == "..") {
            return fail(ErrorCode::PeerProtocol, 0, "path is not canonical");
        }
        if (component.size() > kMaxComponentBytes || depth > kMaxPathDepth) {
            return fail(ErrorCode::LimitExceeded, 0, "path has too long or too many components");
        }
        if (slash == std::string_view::npos) {
            return {};
        }
        path.remove_prefix(slash + 1);
    }
}

bool is_target(std::string_view target) { return !target.empty() && !target.contains('\0'); }

/// Takes a length and that many bytes; nullopt if more are needed.
Result<std::optional<ByteView>> take_text(ByteReader &reader, std::size_t max_bytes) {
    const auto length = take_varint(reader);
    if (length > max_bytes) {
        return fail(ErrorCode::LimitExceeded, 0, "path too long");
    }
    return length ? reader.bytes(static_cast<std::size_t>(*length)) : std::nullopt;
}

std::optional<std::int64_t> read_mtime(ByteReader &reader, bool wide, std::int64_t previous) {
    if (!wide) {
        const auto zigzag = take_varint(reader);
        return zigzag ? std::optional{add_zigzag(previous, *zigzag)} : std::nullopt;
    }
    const auto mtime = reader.big_endian(kWideMtimeBytes);
    return mtime ? std::optional{static_cast<std::int64_t>(*mtime)} : std::nullopt;
}

} // namespace

void ManifestEncoder::add(const ManifestEntry &entry, Bytes &out) {
    if (entry.kind == EntryKind::Gone) {
        ++entries_;
        if (++gap_ == kMaxGapEntries) {
            end_gap(out);
        }
        return;
    }
    end_gap(out);
    const auto mtime = zigzag_difference(previous_mtime_ns_, entry.mtime_ns);
    const bool wide = mtime > kMaxVarint;
    const auto shared = shared_prefix(previous_path_, entry.path);
    const auto suffix = as_bytes(std::string_view{entry.path}.substr(shared));

    out.push_back(static_cast<std::uint8_t>(flags_of(entry) | (wide ? kWideMtime : 0)));
    append_varint(out, shared);
    append_varint(out, suffix.size());
    append_bytes(out, suffix);
    if (entry.kind == EntryKind::File) {
        append_varint(out, entry.size);
    }
    if (entry.kind == EntryKind::Link) {
        append_varint(out, entry.target.size());
        append_bytes(out, as_bytes(entry.target));
    }
    if (wide) {
        append_big_endian(out, static_cast<std::uint64_t>(entry.mtime_ns), kWideMtimeBytes);
    } else {
        append_varint(out, mtime);
    }

    previous_path_ = entry.path;
    previous_mtime_ns_ = entry.mtime_ns;
    ++entries_;
    bytes_ += entry.kind == EntryKind::File ? entry.size : 0;
}

void ManifestEncoder::checkpoint(Bytes &out) {
    end_gap(out);
    out.push_back(kCheckpoint);
    append_varint(out, entries_);
    append_varint(out, bytes_);
}

void ManifestEncoder::end_gap(Bytes &out) {
    if (gap_ > 0) {
        out.push_back(kGap);
        append_varint(out, std::exchange(gap_, 0));
    }
}

Result<> ManifestDecoder::feed(ByteView bytes, std::vector<ManifestEntry> &entries) {
    if (bytes.size() > kMaxManifestBytes - encoded_bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "manifest too long");
    }
    encoded_bytes_ += bytes.size();
    while (!bytes.empty()) {
        // A record that began in an earlier piece is assembled first; others are read in place.
        const auto before = pending_.size();
        if (before > 0) {
            const auto more = bytes.first(std::min(bytes.size(), kMaxRecordBytes - before));
            append_bytes(pending_, more);
        }
        const auto taken = take_one(before > 0 ? ByteView{pending_} : bytes, entries);
        if (!taken) {
            return std::unexpected(taken.error());
        }
        if (*taken == 0) {
            if (before == 0) {
                pending_.assign(bytes.begin(), bytes.end());
            }
            return {};
        }
        pending_.clear();
        bytes = bytes.subspan(*taken - before);
    }
    return {};
}

Result<std::size_t> ManifestDecoder::take_one(ByteView bytes, std::vector<ManifestEntry> &entries) {
    switch (const auto flags = bytes.front()) {
    case kCheckpoint:
        return read_checkpoint(bytes);
    case kGap:
        return take_gap(bytes, entries);
    default:
        if ((flags & kKindMask) == kCheckpoint || !are_known(flags)) {
            return fail(ErrorCode::PeerProtocol, flags, "unknown kind of manifest entry");
        }
        return take_entry(bytes, entries);
    }
}

Result<std::size_t> ManifestDecoder::take_entry(ByteView bytes,
                                                std::vector<ManifestEntry> &entries) {
    const auto flags = bytes.front();
    ManifestEntry entry{.kind = static_cast<EntryKind>(flags & kKindMask),
                        .executable = (flags & kExecutable) != 0,
                        .text = (flags & kText) != 0,
                        .sparse = (flags & kSparse) != 0,
                        .stream = (flags & kStream) != 0};
    ByteReader reader{bytes.subspan(1)};
    const auto shared = take_varint(reader);
    if (!shared) {
        return 0;
    }
    if (*shared > previous_path_.size()) {
        return fail(ErrorCode::PeerProtocol, 0, "shared prefix longer than the path before");
    }
    const auto suffix = take_text(reader, kMaxPathBytes - static_cast<std::size_t>(*shared));
    if (!suffix) {
        return std::unexpected(suffix.error());
    }
    if (!*suffix) {
        return 0;
    }
    if (entry.kind == EntryKind::File) {
        const auto size = take_varint(reader);
        if (!size) {
            return 0;
        }
        entry.size = *size;
    }
    if (entry.kind == EntryKind::Link) {
        const auto target = take_text(reader, kMaxPathBytes);
        if (!target) {
            return std::unexpected(target.error());
        }
        if (!*target) {
            return 0;
        }
        entry.target = as_text(**target);
    }
    const auto mtime = read_mtime(reader, (flags & kWideMtime) != 0, previous_mtime_ns_);
    if (!mtime) {
        return 0;
    }
    entry.mtime_ns = *mtime;
    previous_path_.resize(static_cast<std::size_t>(*shared));
    previous_path_ += as_text(**suffix);
    if (auto appended = append(std::move(entry), entries); !appended) {
        return std::unexpected(std::move(appended).error());
    }
    return 1 + reader.consumed();
}

Result<> ManifestDecoder::append(ManifestEntry entry, std::vector<ManifestEntry> &entries) {
    if (auto checked = check_path(previous_path_); !checked) {
        return checked;
    }
    if (entry.kind == EntryKind::Link && !is_target(entry.target)) {
        return fail(ErrorCode::PeerProtocol, 0, "a link's target is empty or has a zero byte");
    }
    if (entry.stream && entry.size != 0) {
        return fail(ErrorCode::PeerProtocol, 0, "a stream with a size");
    }
    if (entry.stream && std::exchange(has_stream_, true)) {
        return fail(ErrorCode::LimitExceeded, 0, "more than one stream");
    }
    const auto text_bytes = entry.text ? entry.size : 0;
    if (text_bytes > kMaxTextBytes || text_bytes > kMaxTextsBytes - text_bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "texts too long");
    }
    const auto path_bytes = previous_path_.size() + entry.target.size();
    if (entries_ == kMaxManifestEntries || path_bytes > kMaxManifestPathBytes - path_bytes_ ||
        entry.size > kMaxTotalBytes - bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "manifest lists too much");
    }
    ++entries_;
    path_bytes_ += path_bytes;
    text_bytes_ += text_bytes;
    bytes_ += entry.size;
    previous_mtime_ns_ = entry.mtime_ns;
    entry.path = previous_path_;
    entries.push_back(std::move(entry));
    return {};
}

Result<std::size_t> ManifestDecoder::read_checkpoint(ByteView bytes) {
    ByteReader reader{bytes.subspan(1)};
    const auto entries = take_varint(reader);
    const auto total = entries ? take_varint(reader) : std::nullopt;
    if (!total) {
        return 0;
    }
    if (*entries != entries_ || *total != bytes_) {
        return fail(ErrorCode::PeerProtocol, 0, "manifest's totals don't match its entries");
    }
    if (checkpoint_ == entries_) {
        return fail(ErrorCode::PeerProtocol, 0, "checkpoint without an entry since the one before");
    }
    if (++checkpoints_ > kMaxCheckpoints) {
        return fail(ErrorCode::LimitExceeded, 0, "too many checkpoints");
    }
    checkpoint_ = entries_;
    return 1 + reader.consumed();
}

Result<std::size_t> ManifestDecoder::take_gap(ByteView bytes, std::vector<ManifestEntry> &entries) {
    ByteReader reader{bytes.subspan(1)};
    const auto count = take_varint(reader);
    if (!count) {
        return 0;
    }
    if (*count == 0 || *count > kMaxGapEntries) {
        return fail(ErrorCode::PeerProtocol, 0, "a gap has 1 to 4096 entries");
    }
    if (*count > kMaxManifestEntries - entries_) {
        return fail(ErrorCode::LimitExceeded, 0, "manifest lists too much");
    }
    entries_ += *count;
    entries.resize(entries.size() + static_cast<std::size_t>(*count), {.kind = EntryKind::Gone});
    return 1 + reader.consumed();
}

} // namespace thru
