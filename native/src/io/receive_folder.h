// The folder that is received into: part files, names given when complete, nothing outside,
// nothing overwritten.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "transfer/manifest_table.h"
#include "wire/segment.h"

namespace thru {

/// An entry that could not be written, and why.
struct WriteFailure {
    std::uint64_t index = 0;
    Error error;
};

/// Thread-safe: used by several strands of the disk pool at once.
class ReceiveFolder {
public:
    /// Opens (and creates) the folder. TargetNotWritable (also when it is no folder), DiskFull.
    static Result<std::shared_ptr<ReceiveFolder>>
    open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest);
    ~ReceiveFolder();

    /// Makes the folders of the manifest and those that its files stand in; folders that exist are
    /// gone on with. What can't be made and what may not be named so is reported, with every entry
    /// below it. A DiskFull is the last one reported: with it the transfer should end.
    std::vector<WriteFailure> make_folders();

    /// Gives a whole file its name, mtime and exec bit: without overwriting, as `name (2).ext` when
    /// taken. True when it got another name.
    Result<bool> name_file(std::uint64_t index);

    /// Closes and deletes part files that are not complete; later writes fail. To be called at the
    /// end of every transfer: files that failed leave parts behind, too.
    void discard_parts();

    /// Bytes that can still be written there.
    Result<std::uint64_t> free_bytes() const;

private:
    friend class SegmentWriter;
    struct State;
    explicit ReceiveFolder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Writes one segment's stream as it arrives: data to part files, then checks the hash, then names
/// the files that lie whole in it. Runs on the disk pool, one call at a time.
class SegmentWriter {
public:
    /// `header` is the stream's raw type byte and header, which the hash covers.
    SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan, ByteView header);
    ~SegmentWriter();

    /// The next bytes after the header, at least once, if only with none. HashMismatch,
    /// PeerProtocol and DiskFull end the transfer; failures to write single entries are collected
    /// instead and the rest is still written.
    Result<> write(ByteView bytes);
    /// True when all data and the right hash came.
    bool complete() const;

    const SegmentPlan &plan() const;
    const std::vector<WriteFailure> &failures() const;
    /// Whole files of this segment that got another name.
    std::uint64_t renamed() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
