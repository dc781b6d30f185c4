// The qlog of one connection (draft-ietf-quic-qlog) as a file: records are buffered on the network
// thread and written by the disk pool. Failures of the file don't affect the connection.
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
        /// Maximum size of the file; further records are dropped.
        std::uint64_t file_bytes = 1ULL << 30;
        /// Maximum number of bytes that wait for the disk; further records are dropped.
        std::size_t waiting_bytes = 4U << 20;
        /// Size of one write.
        std::size_t block_bytes = 64U << 10;
    };
    /// Makes `directory` if it is missing. It must not be a link, and the file must not exist.
    QlogFile(DiskPool &disk, std::string directory, Limits limits);
    QlogFile(DiskPool &disk, std::string directory)
        : QlogFile(disk, std::move(directory), Limits{}) {}
    /// Writes the remaining records.
    ~QlogFile() override;

    void begin(ByteView original_id, bool server) override;
    void write(ByteView record) override;

    struct Status {
        /// Bytes in the file.
        std::uint64_t bytes = 0;
        /// Number of records that are not in the file.
        std::uint64_t dropped = 0;
        /// The reason that writing has stopped: a full disk, an unusable folder, or LimitExceeded.
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
    /// Bytes handed to the disk pool and not written yet.
    std::size_t writing_ = 0;
    Status status_;
    Lifetime lifetime_;
};

/// Gives each connection of an engine its log.
class QlogFolder {
public:
    /// Applies to new connections; empty turns logging off.
    void set_directory(std::string directory) { directory_ = std::move(directory); }
    /// The log of a new connection; null if logging is off.
    std::shared_ptr<QlogFile> next_file(DiskPool &disk);

private:
    /// Maximum number of logs per engine, because peers decide how often they reconnect.
    static constexpr std::size_t kMaxFiles = 1000;

    std::string directory_;
    std::size_t files_ = 0;
};

} // namespace thru
