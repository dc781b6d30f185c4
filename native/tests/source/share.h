// The sender's files, without a receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "source/chunk_listing.h"
#include "source/have_check.h"
#include "source/segment_reader.h"
#include "source/source_files.h"
#include "source/tree_scan.h"
#include "transfer/manifest_table.h"
#include "transfer/receiver_chunks.h"

namespace thru::test {

/// Items that are scanned when they are added.
class Share {
public:
    explicit Share(ScanOptions options = {});
    /// Shares files and folders by their paths.
    explicit Share(const std::vector<std::string> &paths, ScanOptions options = {});

    /// Scans to the end, `step` entries at a time.
    void add_items(std::vector<ScanItem> items, std::size_t step = 1000);
    void add(const std::vector<std::string> &paths);

    /// Index of the entry with this path; fails the test if there is none.
    std::size_t index_of(std::string_view path) const;
    const ScannedEntry &at(std::string_view path) const { return entries[index_of(path)]; }
    /// Paths of all entries; fails the test for duplicates.
    std::vector<std::string> sorted_paths() const;
    std::map<std::string, ErrorCode> problem_codes() const;

    std::shared_ptr<ManifestTable> manifest = std::make_shared<ManifestTable>();
    std::shared_ptr<TreeScan> scan;
    std::shared_ptr<SourceFiles> files;
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    std::vector<std::uint32_t> excluded;
    std::vector<std::uint32_t> beyond;
    std::vector<FollowedLink> followed;
    std::size_t largest_batch = 0;
};

/// Runs all steps of a HaveCheck, and gives it `runs` when it requests extents. Returns the parts
/// of the answer as one.
HaveCheck::Answer answer(const std::shared_ptr<const SourceFiles> &files, const Have &have,
                         const std::vector<Extents::Run> &runs, bool takes_parts = false);
/// True if it confirms all bytes without any runs.
bool confirms(const std::shared_ptr<const SourceFiles> &files, const Have &have);
/// The messages that list a file's chunks. The last one has none if the file can't be listed.
std::vector<Chunks> chunks_of(const std::shared_ptr<const SourceFiles> &files, std::uint64_t index);
/// A segment's whole stream, read in chunks of this size.
std::expected<Bytes, SegmentReader::Failure> read_segment(const Share &share, SegmentPlan plan,
                                                          std::size_t chunk = 60'000);
/// An entire entry of at most one segment.
std::expected<std::string, Error> read_entry(const Share &share, std::size_t index);

} // namespace thru::test
