// Shared parts of the simulated fs:: functions.
#pragma once

#include <utility>

#include "crash/sim_disk.h"

namespace thru::test {

/// Error number of an exceeded quota. Not every system has one.
inline constexpr std::int64_t kQuotaNumber = 100'000;

fs::SystemError sim_error(fs::ErrorKind kind);
inline std::unexpected<fs::SystemError> sim_failure(fs::ErrorKind kind) {
    return std::unexpected(sim_error(kind));
}

/// The installed disk, locked for one call of a process that may be dead.
class SimAccess {
public:
    enum class Needs : std::uint8_t { Nothing, Folder, File, WritableFile };

    /// Without a disk, every call fails.
    SimAccess();

    SimImage &image() const { return disk_->image_; }

    /// Counts a call on a path; returns the error that prevents it.
    std::optional<fs::ErrorKind> begin(SimCall call) const { return begin(call, {}); }
    /// Counts a call on an open file or folder, which must match `needs`. Traces `what` and `name`.
    SimResult<SimNode *> begin(SimCall call, const fs::FileHandle &handle, Needs needs,
                               std::string_view what = {}, const std::string &name = {}) const;

    SimNode &node_of(const fs::FileHandle &handle) const {
        return *image().find(disk_->open_.at(handle.native()).node);
    }
    fs::FileHandle open(const SimNode &node, bool writable) const;
    void close(fs::FileHandle::Native handle) const;
    bool lock(const SimNode &node, const fs::FileHandle &handle) const;

    /// Takes this many free blocks; fails if there are fewer.
    SimResult<> take_blocks(std::uint64_t blocks) const;
    void give_blocks(std::uint64_t blocks) const { disk_->free_blocks_ += blocks; }
    /// Frees the node's blocks once it has no name and is not open.
    void forget(const SimNode &node) const;

    /// A time later than that of the previous call.
    std::int64_t now() const { return disk_->clock_ns_ += 1'000'000; }
    /// Marks the node as changed now.
    void touch(SimNode &node) const;
    fs::FileStatus status(const SimNode &node) const;
    fs::VolumeFacts facts() const;
    bool syncs_file_system() const { return disk_->syncs_file_system_; }
    bool shares_blocks() const { return disk_->shares_blocks_; }
    bool folder_syncs_attributes() const { return disk_->folder_syncs_attributes_; }
    bool crashed() const { return disk_ == nullptr || disk_->crashed_; }
    std::uint64_t operations() const { return disk_->trace_.size(); }
    const std::string &boot_id() const { return disk_->boot_id_; }

private:
    std::optional<fs::ErrorKind> begin(SimCall call, const std::string &trace) const;

    SimDisk *disk_;
    std::unique_lock<std::mutex> lock_;
};

} // namespace thru::test
