// A disk in memory behind fs:: of fs/file_system.h, for tests that kill the process or cut the
// power after any operation. Linked into thru_crash_tests in the place of the system's files.
//
//     SimDisk disk;
//     disk.crash_after(n);     // the process dies at its operation n
//     ...run what is tested; every call fails from then on...
//     disk.lose_power(seed);   // or disk.kill(): the process is started again
//     ...run it again and look at what is there...
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

/// What a fault can be injected into. Those before Look change the disk and are counted as
/// operations.
enum class SimCall : std::uint8_t {
    CreateFile,
    MakeFolder,
    MakeLink,
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
    /// Status, links' texts, lists, facts about the volume.
    LookUp,
    Open,
    Read,
    Lock,
    Close,
};

/// The disk that all of fs:: works on while it lives; one at a time. Any thread may use fs:: and
/// this.
class SimDisk {
public:
    SimDisk();
    ~SimDisk();
    SimDisk(const SimDisk &) = delete;
    SimDisk &operator=(const SimDisk &) = delete;

    // The process.

    /// How many operations changed the disk, or tried to, since the process was started.
    std::uint64_t operations() const;
    /// One line for each of them: its number, what it did, and to which file.
    std::vector<std::string> trace() const;
    /// The process dies instead of its operation number `operations`, counted from 0: it and every
    /// later call fails with ErrorKind::Io. Of a write, some of the bytes are written.
    void crash_after(std::uint64_t operations);
    bool crashed() const;
    /// The process was killed and is started again: everything it wrote is there, locks and handles
    /// are not. Ends crash_after and faults.
    void kill();
    /// The power was cut and the process is started again, with another boot id. What was not
    /// synced is kept, lost or torn as `seed` decides: see SimContent, SimNames and Fate.
    void lose_power(std::uint64_t seed);

    /// Everything on the disk, to start from there again. set_image also ends the process, as kill.
    SimImage image() const;
    void set_image(SimImage image);

    // Faults.

    /// Calls of this kind fail, after `spared` more that do not, `times` times. A failed sync
    /// leaves what it should have written out of later ones, too.
    void fail(SimCall call, fs::ErrorKind kind, std::uint64_t spared = 0, std::uint64_t times = 1);
    /// Failures set by fail() that have not occurred yet.
    std::uint64_t unused_faults() const;
    /// Full means from now on that this user's share of the disk is.
    void set_full_is_quota();
    void set_boot_id(std::string id);
    /// Files that are not open get other numbers, as on FAT when memory gets short.
    void number_anew();

    // What kind of system this is.

    /// Whether there is a sync_file_system; there is, if nothing else is said.
    void set_syncs_file_system(bool there_is);
    /// VolumeFacts::counts_insertions; it does, if nothing else is said.
    void set_counts_insertions(bool it_does);
    /// Whether sync_folder also keeps times and permissions of the folder's files, as journaling
    /// file systems do, or only sync_file_system; it does, if nothing else is said. sync_data never
    /// does.
    void set_folder_syncs_attributes(bool it_does);

    // Beside the process: no operations, and synced at once. Paths are absolute.

    /// Makes missing folders, too.
    void put_file(const std::string &path, std::string_view content, std::int64_t mtime_ns = 0);
    void put_folder(const std::string &path);
    /// nullopt when there is no file of this name.
    std::optional<std::string> content(const std::string &path) const;
    /// Relative path of everything below a folder to a file's content, "(folder)" or "-> target".
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
    bool folder_syncs_attributes_ = true;
    std::int64_t clock_ns_;
};

} // namespace thru::test
