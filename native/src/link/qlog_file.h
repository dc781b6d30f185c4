// The qlog of one connection (draft-ietf-quic-qlog) as a file of its own: records are gathered on
// the network thread, and written by the disk pool. Whatever happens to the file, the connection
// goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/error.h"
#include "base/lifetime.h"
#include "fs/disk_pool.h"
#include "quic/qlog_sink.h"

namespace thru {

class QlogFile final : public QlogSink {
public:
    struct Limits {
        /// What follows is not written, and counts as dropped.
        std::uint64_t file_bytes = 1ULL << 30;
        /// Records that the disk has not taken; those that come meanwhile are dropped.
        std::size_t waiting_bytes = 4U << 20;
        /// Written at once.
        std::size_t block_bytes = 64U << 10;
    };
    /// `directory` is made when it is missing. It must not be a link, nor may the file be there.
    QlogFile(DiskPool &disk, std::string directory, Limits limits);
    QlogFile(DiskPool &disk, std::string directory)
        : QlogFile(disk, std::move(directory), Limits{}) {}
    /// Writes the rest.
    ~QlogFile() override;

    void begin(ByteView original_id, bool server) override;
    void write(ByteView record) override;

    struct Status {
        /// In the file.
        std::uint64_t bytes = 0;
        /// Records that are not in the file.
        std::uint64_t dropped = 0;
        /// Why nothing more is written: a full disk, a folder that can't be used, or LimitExceeded.
        std::optional<Error> error;
    };
    const Status &status() const { return status_; }

private:
    struct Target;

    void flush();

    DiskPool &disk_;
    const Limits limits_;
    std::shared_ptr<Target> target_;
    std::shared_ptr<DiskPool::Strand> strand_;
    Bytes gathered_;
    /// Handed to the disk pool and not written yet.
    std::size_t writing_ = 0;
    Status status_;
    Lifetime lifetime_;
};

/// Where the logs of an engine's connections go.
class QlogFolder {
public:
    /// From now on; empty for nowhere.
    void set_directory(std::string directory) { directory_ = std::move(directory); }
    /// For a new connection; null when nothing is logged.
    std::shared_ptr<QlogFile> next_file(DiskPool &disk);

private:
    /// An engine begins no more: peers decide how often they reconnect.
    static constexpr std::size_t kMaxFiles = 1000;

    std::string directory_;
    std::size_t files_ = 0;
};

} // namespace thru
