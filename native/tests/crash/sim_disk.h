// A disk in memory behind fs:: of fs/file_system.h, for tests that kill the process or cut the
// power after any operation. Linked into thru_crash_tests instead of the system's files.
//
//     SimDisk disk;
//     disk.crash_after(n);     // the process dies at its operation n
//     ...run the code under test; every call fails after the crash...
//     disk.lose_power(seed);   // or disk.kill(): the process is started again
//     ...run it again and check the contents...
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crash/sim_image.h"
#include "fs/file_system.h"

namespace thru::test {

/// Calls that can fail. Those before LookUp change the disk and count as operations.
enum class SimCall : std::uint8_t {
    CreateFile,
    MakeFolder,
    MakeLink,
    MakeHardLink,
    RenameNew,
    RenameOver,
    RemoveFile,
    Write,
    SetSize,
    Reserve,
    SetAttributes,
    SyncData,
    SyncFolder,
    SyncFileSystem,
    /// Status, link targets, listings, facts about the volume.
    LookUp,
    Open,
    Read,
    Lock,
    Close,
};

/// The disk that fs:: uses while this object exists; one at a time. Both are usable by any thread.
class SimDisk {
public:
    SimDisk();
    ~SimDisk();
    SimDisk(const SimDisk &) = delete;
    SimDisk &operator=(const SimDisk &) = delete;

    // The process.

    /// Operations since the process started that changed the disk, or tried to.
    std::uint64_t operations() const;
    /// One line per operation: its number, effect and file.
    std::vector<std::string> trace() const;
    /// The process dies instead of running operation number `operations`, counted from 0: it and
    /// every later call fail with ErrorKind::Io. If it is a write, some of its bytes are written.
    void crash_after(std::uint64_t operations);
    bool crashed() const;
    /// Kills and restarts the process: its writes survive, but not its locks, handles and faults.
    void kill();
    /// Cuts the power and restarts the process with another boot id. `seed` decides if unsynced
    /// data is kept, lost or torn: see SimContent, SimNames and Fate.
    void lose_power(std::uint64_t seed);

    /// Everything on the disk, for a later restart. set_image also ends the process, like kill.
    SimImage image() const;
    void set_image(SimImage image);

    // Faults.

    /// Lets `spared` calls of this kind succeed, then fails the next `times`. Data of a failed sync
    /// is also left out of later syncs.
    void fail(SimCall call, fs::ErrorKind kind, std::uint64_t spared = 0, std::uint64_t times = 1);
    /// Failures set by fail() that have not occurred yet.
    std::uint64_t unused_faults() const;
    /// Makes a full disk report an exceeded quota.
    void set_full_is_quota();
    void set_boot_id(std::string id);
    /// Renumbers files that are not open, like FAT under memory pressure.
    void number_anew();

    // Kind of system.

    /// True, the default, if sync_file_system is available.
    void set_syncs_file_system(bool there_is);
    /// VolumeFacts::counts_insertions; true by default.
    void set_counts_insertions(bool it_does);
    /// True if fs::share_content works; false by default.
    void set_shares_blocks(bool it_does);
    /// True, the default, if sync_folder also keeps times and permissions of the folder's files,
    /// like journaling file systems; otherwise only sync_file_system does.
    void set_folder_syncs_attributes(bool it_does);

    // Access outside the process: no operations, and synced immediately. Paths are absolute.

    /// Creates missing folders.
    void put_file(const std::string &path, std::string_view content, std::int64_t mtime_ns = 0);
    void put_folder(const std::string &path);
    /// nullopt if there is no such file.
    std::optional<std::string> content(const std::string &path) const;
    /// True if both are names of one file.
    bool is_one_file(const std::string &path, const std::string &other) const;
    /// Relative path of each entry below a folder to a file's content, "(folder)" or "-> target".
    std::map<std::string, std::string> snapshot(const std::string &folder = "/") const;

private:
    friend class SimAccess;

    struct OpenNode {
        NodeId node = 0;
        bool writable = false;
    };
    struct Fault {
        SimCall call{};
        fs::ErrorKind kind{};
        std::uint64_t spared = 0;
        std::uint64_t times = 0;
    };

    void restart();
    NodeId make(const std::string &path, SimNode node);

    mutable std::mutex mutex_;
    SimImage image_;
    std::map<fs::FileHandle::Native, OpenNode> open_;
    std::map<NodeId, fs::FileHandle::Native> locks_;
    std::vector<std::string> trace_;
    std::vector<Fault> faults_;
    std::uint64_t crash_at_;
    bool crashed_ = false;
    std::uint64_t free_blocks_;
    std::uint64_t boots_ = 0;
    std::string boot_id_ = "boot-0";
    bool syncs_file_system_ = true;
    bool counts_insertions_ = true;
    bool shares_blocks_ = false;
    bool folder_syncs_attributes_ = true;
    std::int64_t clock_ns_;
};

} // namespace thru::test
