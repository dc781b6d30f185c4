#include "wire/manifest.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "wire/varint.h"

namespace thru {

namespace {

// The flags byte of an entry.
constexpr std::uint8_t kKindMask = 0x03;
constexpr std::uint8_t kEndMark = 0x03;
constexpr std::uint8_t kExecutable = 0x04;
/// The mtime stands whole, in eight bytes: its distance from the one before needs over 62 bits.
constexpr std::uint8_t kWideMtime = 0x08;
constexpr std::size_t kWideMtimeBytes = 8;

/// Longest encoded entry; also bounds what waits for the rest of an entry.
constexpr std::size_t kMaxEntryBytes = 1 + 4 * kMaxVarintBytes + kMaxPathBytes;

/// Differences are taken modulo 2^64, so that every pair of times has one.
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
    if (!is_utf8(path) || path.contains('\0')) {
        return fail(ErrorCode::PeerProtocol, 0, "path is not text");
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

std::optional<std::int64_t> read_mtime(ByteReader &reader, bool wide, std::int64_t previous) {
    if (!wide) {
        const auto zigzag = take_varint(reader);
        return zigzag ? std::optional{add_zigzag(previous, *zigzag)} : std::nullopt;
    }
    const auto whole = reader.big_endian(kWideMtimeBytes);
    return whole ? std::optional{static_cast<std::int64_t>(*whole)} : std::nullopt;
}

} // namespace

void ManifestEncoder::add(const ManifestEntry &entry, Bytes &out) {
    const auto mtime = zigzag_difference(previous_mtime_ns_, entry.mtime_ns);
    const bool wide = mtime > kMaxVarint;
    const auto shared = shared_prefix(previous_path_, entry.path);
    const auto suffix = as_bytes(std::string_view{entry.path}.substr(shared));

    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint8_t>(entry.kind) |
                                            (entry.executable ? kExecutable : 0) |
                                            (wide ? kWideMtime : 0)));
    append_varint(out, shared);
    append_varint(out, suffix.size());
    append_bytes(out, suffix);
    if (entry.kind == EntryKind::File) {
        append_varint(out, entry.size);
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

void ManifestEncoder::finish(Bytes &out) {
    out.push_back(kEndMark);
    append_varint(out, entries_);
    append_varint(out, bytes_);
}

Result<> ManifestDecoder::feed(ByteView bytes, std::vector<ManifestEntry> &entries) {
    if (bytes.size() > kMaxManifestBytes - encoded_bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "manifest too long");
    }
    encoded_bytes_ += bytes.size();
    while (!bytes.empty()) {
        // An entry that began in an earlier piece is put together first; all others are read
        // where they lie.
        const auto before = pending_.size();
        if (before > 0) {
            const auto more = bytes.first(std::min(bytes.size(), kMaxEntryBytes - before));
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
    if (finished_) {
        return fail(ErrorCode::PeerProtocol, 0, "bytes after the end of the manifest");
    }
    const auto flags = bytes.front();
    if (flags == kEndMark) {
        return take_end(bytes);
    }
    const auto kind = static_cast<std::uint8_t>(flags & kKindMask);
    const bool file = kind == static_cast<std::uint8_t>(EntryKind::File);
    const bool folder = kind == static_cast<std::uint8_t>(EntryKind::Folder);
    const auto allowed = kKindMask | kWideMtime | (file ? kExecutable : 0);
    if ((!file && !folder) || (flags & ~allowed) != 0) {
        return fail(ErrorCode::PeerProtocol, flags, "unknown kind of manifest entry");
    }

    ByteReader reader{bytes.subspan(1)};
    const auto shared = take_varint(reader);
    if (shared && *shared > previous_path_.size()) {
        return fail(ErrorCode::PeerProtocol, 0, "shared prefix longer than the path before");
    }
    const auto suffix_bytes = take_varint(reader);
    if (!shared || !suffix_bytes) {
        return 0;
    }
    if (*suffix_bytes > kMaxPathBytes - *shared) {
        return fail(ErrorCode::LimitExceeded, 0, "path too long");
    }
    const auto suffix = reader.bytes(static_cast<std::size_t>(*suffix_bytes));
    const auto size = file && suffix ? take_varint(reader) : std::optional<std::uint64_t>{0};
    const auto mtime = suffix && size
                           ? read_mtime(reader, (flags & kWideMtime) != 0, previous_mtime_ns_)
                           : std::nullopt;
    if (!mtime) {
        return 0;
    }
    ManifestEntry entry{.kind = static_cast<EntryKind>(kind),
                        .executable = (flags & kExecutable) != 0,
                        .path = {},
                        .size = *size,
                        .mtime_ns = *mtime};
    previous_path_.resize(static_cast<std::size_t>(*shared));
    previous_path_ += as_text(*suffix);
    if (auto appended = append(std::move(entry), entries); !appended) {
        return std::unexpected(std::move(appended).error());
    }
    return 1 + reader.consumed();
}

Result<> ManifestDecoder::append(ManifestEntry entry, std::vector<ManifestEntry> &entries) {
    if (auto checked = check_path(previous_path_); !checked) {
        return checked;
    }
    if (entries_ == kMaxManifestEntries ||
        previous_path_.size() > kMaxManifestPathBytes - path_bytes_ ||
        entry.size > kMaxTotalBytes - bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "manifest lists too much");
    }
    ++entries_;
    path_bytes_ += previous_path_.size();
    bytes_ += entry.size;
    previous_mtime_ns_ = entry.mtime_ns;
    entry.path = previous_path_;
    entries.push_back(std::move(entry));
    return {};
}

Result<std::size_t> ManifestDecoder::take_end(ByteView bytes) {
    ByteReader reader{bytes.subspan(1)};
    const auto entries = take_varint(reader);
    const auto total = entries ? take_varint(reader) : std::nullopt;
    if (!total) {
        return 0;
    }
    if (*entries != entries_ || *total != bytes_) {
        return fail(ErrorCode::PeerProtocol, 0, "manifest's totals don't match its entries");
    }
    finished_ = true;
    return 1 + reader.consumed();
}

} // namespace thru
