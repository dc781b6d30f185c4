// A transfer without a network: scanned, read, written and published in one thread.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "source/share.h"
#include "support/segments.h"
#include "target/segments/segment_writer.h"
#include "wire/control.h"

namespace thru::test {

/// Origin of the only sender.
inline constexpr OriginId kOriginId = {3};

/// Opens a folder and prepares it for the whole manifest; fails the test on an error.
std::shared_ptr<ReceiveFolder> open_in(const std::filesystem::path &directory,
                                       std::shared_ptr<const ManifestTable> manifest,
                                       const ReceiveOptions &options = {});

/// A writer after the stream was written in chunks of this size.
struct Written {
    std::unique_ptr<SegmentWriter> writer;
    Result<> result;
    /// True if the stream was written completely.
    bool whole() const {
        return result && writer->outcome() == SegmentOutcome::Verified &&
               writer->failures().empty();
    }
};
Written write_segment(const std::shared_ptr<ReceiveFolder> &folder, ByteView stream,
                      std::size_t chunk = 60'000);

/// Writes a segment of complete files, or a file's last segment, and commits.
CommitResult receive(const std::shared_ptr<ReceiveFolder> &folder, const SegmentPlan &plan,
                     std::string_view data);

struct LocalTransfer {
    std::shared_ptr<Share> share;
    Result<> result;
    Done totals;
    bool finished = false;
    std::size_t segments = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_reused = 0;
};
struct LocalOptions {
    std::size_t chunk = 256 * 1024;
    /// Interrupts the transfer after this many segments.
    std::size_t max_segments = std::numeric_limits<std::size_t>::max();
    ReceiveOptions receive{};
    /// The id of the share, which another run of the sender changes.
    WireId share = {1};
    /// The sender lists the chunks of its files.
    bool lists_chunks = false;
};
/// Sends `roots` into `target` through a Sender and a Receiver.
LocalTransfer transfer(const std::vector<std::string> &roots, const std::filesystem::path &target,
                       const LocalOptions &options = {});

} // namespace thru::test
