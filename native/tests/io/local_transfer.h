// A transfer without a network: scanned, read, written and named in one thread.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/receive_folder.h"
#include "io/segment_reader.h"
#include "io/tree_scan.h"
#include "wire/control.h"

namespace thru::test {

/// What was dropped, scanned to the end.
struct Source {
    std::shared_ptr<ManifestTable> manifest;
    std::shared_ptr<SourceFiles> files;
    std::vector<ScanProblem> problems;
};
Source scan(std::vector<std::string> roots, std::size_t step = 1000);

/// A segment's whole stream, read in chunks of this size.
std::expected<Bytes, SegmentReader::Failure> read_segment(const Source &source, SegmentPlan plan,
                                                          std::size_t chunk = 60'000);

/// The stream of a segment whose files need not exist; `data` is as long as the plan says.
Bytes segment_stream(const SegmentPlan &plan, std::string_view data);

/// A writer that has been given the stream in chunks of this size.
struct Written {
    std::unique_ptr<SegmentWriter> writer;
    Result<> result;
};
Written write_segment(const std::shared_ptr<ReceiveFolder> &folder, ByteView stream,
                      std::size_t chunk = 60'000);

struct LocalTransfer {
    std::chrono::duration<double> scan_time{};
    std::chrono::duration<double> folder_time{};
    std::chrono::duration<double> read_time{};
    std::chrono::duration<double> write_time{};
    Source source;
    Result<> result;
    Done totals;
    bool finished = false;
};
/// Sends `roots` into `target` through a Sender and a Receiver.
LocalTransfer transfer(std::vector<std::string> roots, const std::filesystem::path &target,
                       std::size_t chunk = 256 * 1024);

} // namespace thru::test
