// The manifest stream: a list of entries, each path encoded relative to the previous one.
// Normative text: docs/protocol.md#manifest-stream
//
// The stream's owner handles the type byte (StreamType::Manifest). It writes the byte before the
// encoder's first output, and removes it before the decoder's first input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

enum class EntryKind : std::uint8_t {
    File = 0,
    Folder = 1,
    /// A symbolic link to a target in the same shared item.
    Link = 2,
    /// Removed before this receiver connected; kept so that all receivers number entries alike.
    Gone = 3,
};

/// One file, folder or link on the wire.
struct ManifestEntry {
    EntryKind kind = EntryKind::File;
    /// Files only.
    bool executable = false;
    /// Files only: a text to show, not to write; at most kMaxTextBytes.
    bool text = false;
    /// Files only: it has holes, sent as Hole messages, and may need less room than its size.
    bool sparse = false;
    /// Files only: the size is unknown until the end, and 0 here. At most one in a manifest.
    bool stream = false;
    /// Relative, with '/' between components, otherwise any non-zero bytes from the sender's disk,
    /// mostly UTF-8. The first component is the shared item's name. Empty for Gone.
    std::string path;
    /// Links only: relative to the link's folder, inside the shared item; bytes as in `path`.
    std::string target;
    /// Bytes, at most kMaxTotalBytes; files only, otherwise 0.
    std::uint64_t size = 0;
    /// Nanoseconds since 1970, may be negative.
    std::int64_t mtime_ns = 0;
    bool operator==(const ManifestEntry &) const = default;
};

/// A million files, plus their folders and links.
inline constexpr std::uint64_t kMaxManifestEntries = std::uint64_t{1} << 21;
inline constexpr std::uint64_t kMaxManifestBytes = 256ULL << 20;
/// Sum of all full paths and link targets, 80 bytes for each possible entry. Without it, shared
/// prefixes would let a small manifest fill gigabytes.
inline constexpr std::uint64_t kMaxManifestPathBytes = 160ULL << 20;
/// Maximum length of a path, and of a link's target.
inline constexpr std::size_t kMaxPathBytes = 4096;
inline constexpr std::size_t kMaxComponentBytes = 255;
/// Maximum number of components in a path.
inline constexpr std::size_t kMaxPathDepth = 128;
inline constexpr std::uint64_t kMaxTextBytes = 1ULL << 20;
/// Maximum size of all texts together, which are read at the same time and kept in memory.
inline constexpr std::uint64_t kMaxTextsBytes = 16ULL << 20;
/// Sum of all sizes: the largest varint.
inline constexpr std::uint64_t kMaxTotalBytes = (1ULL << 62) - 1;

/// Maximum checkpoints in a manifest, one per addition: the receiver examines each.
inline constexpr std::uint64_t kMaxCheckpoints = 10'000;

/// Maximum number of entries in one gap; longer runs of Gone need several.
inline constexpr std::uint64_t kMaxGapEntries = 4096;

/// Encodes entries one by one during the scan. The caller keeps entries and totals within limits.
class ManifestEncoder {
public:
    /// Holds Gone entries back until another kind or the next checkpoint: a run of them is one gap.
    void add(const ManifestEntry &entry, Bytes &out);
    /// Marks everything so far as complete: after the first scan, and each time the share grows.
    /// Carries totals for the decoder to compare. Each checkpoint needs a new entry before it.
    void checkpoint(Bytes &out);

private:
    void end_gap(Bytes &out);

    std::string previous_path_;
    std::int64_t previous_mtime_ns_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t bytes_ = 0;
    /// Gone entries held back; at most kMaxGapEntries.
    std::uint64_t gap_ = 0;
};

/// Decodes a manifest that arrives in arbitrary pieces, and checks every limit before allocating
/// memory. Checks encoding, limits and canonical paths (no empty, `.` or `..` components, no NUL).
/// SafeRelPath decides which paths may be written, and NameMap refuses duplicates. A link's target
/// is only known to be non-empty and free of zero bytes.
class ManifestDecoder {
public:
    /// Appends the entries completed by `bytes`. PeerProtocol and LimitExceeded are final.
    Result<> feed(ByteView bytes, std::vector<ManifestEntry> &entries);
    /// Number of entries before the last checkpoint; nullopt before the first. More entries may
    /// follow a checkpoint: the stream ends with the connection.
    std::optional<std::uint64_t> checkpoint() const { return checkpoint_; }

private:
    /// Each takes one record from the front of `bytes`: its size, or 0 if more bytes are needed.
    Result<std::size_t> take_one(ByteView bytes, std::vector<ManifestEntry> &entries);
    Result<std::size_t> take_entry(ByteView bytes, std::vector<ManifestEntry> &entries);
    Result<std::size_t> read_checkpoint(ByteView bytes);
    Result<std::size_t> take_gap(ByteView bytes, std::vector<ManifestEntry> &entries);
    /// Checks and counts the entry, whose path is previous_path_.
    Result<> append(ManifestEntry entry, std::vector<ManifestEntry> &entries);

    /// The beginning of an incomplete record.
    Bytes pending_;
    std::string previous_path_;
    std::int64_t previous_mtime_ns_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t path_bytes_ = 0;
    std::uint64_t text_bytes_ = 0;
    std::uint64_t checkpoints_ = 0;
    bool has_stream_ = false;
    std::uint64_t encoded_bytes_ = 0;
    std::optional<std::uint64_t> checkpoint_;
};

} // namespace thru
