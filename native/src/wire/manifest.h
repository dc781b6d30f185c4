// The manifest stream: a list of entries, each path coded against the one before.
// Normative text: docs/protocol.md#manifest-stream
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

enum class EntryKind : std::uint8_t { File = 0, Folder = 1 };

/// One file or folder, as it travels.
struct ManifestEntry {
    EntryKind kind = EntryKind::File;
    bool executable = false;
    /// Relative, '/' between components, UTF-8. Its first component is the shared item's name.
    std::string path;
    /// Bytes; 0 for folders.
    std::uint64_t size = 0;
    /// Nanoseconds since 1970, may be negative.
    std::int64_t mtime_ns = 0;
};

inline constexpr std::uint64_t kMaxManifestEntries = 1'000'000;
inline constexpr std::uint64_t kMaxManifestBytes = 256ULL << 20;
inline constexpr std::size_t kMaxPathBytes = 4096;

/// Encodes entries one after another, for a stream that is sent while the scan still runs.
class ManifestEncoder {
public:
    void add(const ManifestEntry &entry, Bytes &out);
    /// The end mark with totals that the decoder compares.
    void finish(Bytes &out);

private:
    std::string previous_path_;
    std::int64_t previous_mtime_ns_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t bytes_ = 0;
};

/// Decodes a manifest that arrives in arbitrary pieces. Checks every limit before taking memory.
/// It checks encoding and limits; whether a path may be written is SafeRelPath's business.
class ManifestDecoder {
public:
    /// Appends the entries completed by `bytes`. PeerProtocol or LimitExceeded: give up.
    Result<> feed(ByteView bytes, std::vector<ManifestEntry> &entries);
    /// True after the end mark; bytes after it are an error.
    bool finished() const { return finished_; }

private:
    Bytes pending_;
    std::string previous_path_;
    std::int64_t previous_mtime_ns_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t encoded_bytes_ = 0;
    bool finished_ = false;
};

} // namespace thru
