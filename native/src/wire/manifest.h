// The manifest stream: a list of entries, each path coded against the one before.
// Normative text: docs/protocol.md#manifest-stream
//
// The stream's type byte (StreamType::Manifest) is not handled here: whoever owns the stream writes
// it before the encoder's first output, and takes it off before the decoder's first input.
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
    /// A symbolic link to something in the same shared item.
    Link = 2,
    /// Nothing: an entry that was taken out of the share before this receiver came. It keeps its
    /// number, so that all receivers number alike.
    Gone = 3,
};

/// One file, folder or link, as it travels.
struct ManifestEntry {
    EntryKind kind = EntryKind::File;
    /// Files only.
    bool executable = false;
    /// Files only: a text to be shown and not written; at most kMaxTextBytes.
    bool text = false;
    /// Files only: has holes, which come as Hole messages; its size says nothing about the room it
    /// needs.
    bool sparse = false;
    /// Files only: its size is known at its end only, and 0 here. At most one in a manifest.
    bool stream = false;
    /// Relative, '/' between components, else any bytes but zero, as the sender's disk has them:
    /// mostly UTF-8. Its first component is the shared item's name. Empty for Gone.
    std::string path;
    /// Links only: relative to the link's folder, and nowhere above the shared item. Bytes as in
    /// `path`.
    std::string target;
    /// Bytes, at most kMaxTotalBytes; 0 for all but files.
    std::uint64_t size = 0;
    /// Nanoseconds since 1970, may be negative.
    std::int64_t mtime_ns = 0;
    bool operator==(const ManifestEntry &) const = default;
};

/// A million files, and room for their folders and links.
inline constexpr std::uint64_t kMaxManifestEntries = std::uint64_t{1} << 21;
inline constexpr std::uint64_t kMaxManifestBytes = 256ULL << 20;
/// Sum of all whole paths and of all links' targets, 80 bytes for each of the most entries: shared
/// prefixes would else let a small manifest fill gigabytes.
inline constexpr std::uint64_t kMaxManifestPathBytes = 160ULL << 20;
/// The limit for a path, and for a link's target.
inline constexpr std::size_t kMaxPathBytes = 4096;
inline constexpr std::size_t kMaxComponentBytes = 255;
/// Components of one path.
inline constexpr std::size_t kMaxPathDepth = 128;
inline constexpr std::uint64_t kMaxTextBytes = 1ULL << 20;
/// The limit for all texts together: they are read at once, so they are kept in memory.
inline constexpr std::uint64_t kMaxTextsBytes = 16ULL << 20;
/// Sum of all sizes: what one varint holds.
inline constexpr std::uint64_t kMaxTotalBytes = (1ULL << 62) - 1;

/// Checkpoints of one manifest: each makes the receiver look at what was added. A sender has one
/// for each time that something was added.
inline constexpr std::uint64_t kMaxCheckpoints = 10'000;

/// Most entries of one gap: longer runs of Gone take several.
inline constexpr std::uint64_t kMaxGapEntries = 4096;

/// Encodes entries one after another, for a stream that is sent while the scan still runs. The
/// caller keeps entries and totals within the limits above.
class ManifestEncoder {
public:
    /// Entries that are Gone are held back until the next that is not, or the next checkpoint: a
    /// run of them is one gap.
    void add(const ManifestEntry &entry, Bytes &out);
    /// Everything up to here is a whole: after the first scan, and after each time the share grew.
    /// Carries totals that the decoder compares. Between two checkpoints there has to be an entry.
    void checkpoint(Bytes &out);

private:
    /// Writes the run that was held back.
    void end_gap(Bytes &out);

    std::string previous_path_;
    std::int64_t previous_mtime_ns_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t bytes_ = 0;
    /// Entries held back; at most kMaxGapEntries.
    std::uint64_t gap_ = 0;
};

/// Decodes a manifest that arrives in arbitrary pieces. Checks every limit before taking memory.
/// It checks encoding, limits and that paths are canonical (no empty, `.` or `..` components, no
/// NUL); whether a path may be written is SafeRelPath's business, and so are duplicates. Of a
/// link's target it only knows that it has no zero byte.
class ManifestDecoder {
public:
    /// Appends the entries completed by `bytes`. PeerProtocol or LimitExceeded: give up.
    Result<> feed(ByteView bytes, std::vector<ManifestEntry> &entries);
    /// Entries before the last checkpoint that came; nullopt before the first. More may follow a
    /// checkpoint: the stream ends with the connection.
    std::optional<std::uint64_t> checkpoint() const { return checkpoint_; }

private:
    /// Each of these takes one record from the front of `bytes`; how many bytes it took, 0 when
    /// more are needed.
    Result<std::size_t> take_one(ByteView bytes, std::vector<ManifestEntry> &entries);
    Result<std::size_t> take_entry(ByteView bytes, std::vector<ManifestEntry> &entries);
    Result<std::size_t> read_checkpoint(ByteView bytes);
    Result<std::size_t> take_gap(ByteView bytes, std::vector<ManifestEntry> &entries);
    /// Checks the entry, whose path is previous_path_ now, and counts it.
    Result<> append(ManifestEntry entry, std::vector<ManifestEntry> &entries);

    /// The beginning of a record whose end has not come yet.
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
