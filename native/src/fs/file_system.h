// The operating system's files, as little of them as the engine needs; one implementation for each
// system (file_system*_posix.cc with _linux or _macos, file_system*_win.cc), and one in memory for
// crash tests.
//
// Paths and names are UTF-8 with '/' between components; on POSIX any bytes. What is below a
// received or shared folder is always reached through that folder's handle.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace thru::fs {

/// Kinds of errors that callers distinguish.
enum class ErrorKind : std::uint8_t {
    NotFound,
    Exists,
    /// A symbolic link (or another kind of reparse point) where none is followed.
    Link,
    NotFolder,
    /// The file system can't hold this name.
    BadName,
    /// The disk, or this user's share of it.
    Full,
    /// Larger than the file system or a limit of this process lets files be.
    TooLarge,
    /// The device or the network drive is gone.
    Gone,
    Io,
    /// Permissions, read-only, limits and what else there is.
    Refused,
};

struct SystemError {
    ErrorKind kind = ErrorKind::Refused;
    /// errno, or the Windows error number.
    std::int64_t number = 0;
};

template <class T = void> using SystemResult = std::expected<T, SystemError>;

/// Whether SystemError::number, with ErrorKind::Full, means that this user's quota is used up,
/// whatever is free on the disk.
bool is_quota(std::int64_t number);

/// The meaning of a system error for a file that is read.
Error reading_error(const SystemError &error, std::string detail);
/// The meaning of a system error for a file or folder that is made.
Error writing_error(const SystemError &error, std::string detail);

/// An open file or folder; closes itself.
class FileHandle {
public:
    /// A file descriptor, or a Windows HANDLE.
    using Native = std::intptr_t;
    static constexpr Native kNone = -1;

    FileHandle() = default;
    explicit FileHandle(Native native) : native_(native) {}
    FileHandle(FileHandle &&other) noexcept;
    FileHandle &operator=(FileHandle &&other) noexcept;
    ~FileHandle();

    bool is_open() const { return native_ != kNone; }
    Native native() const { return native_; }
    /// Gives the file away without closing it.
    Native release();
    /// Some systems report only here that data could not be written.
    SystemResult<> close();

private:
    Native native_ = kNone;
};

enum class FileType : std::uint8_t { File, Folder, Link, Other };

/// Tells one file from all others on this machine.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    bool operator==(const FileId &) const = default;
};

struct FileStatus {
    FileType type = FileType::Other;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    /// When its data or attributes changed last; where a system has no such time, mtime_ns.
    std::int64_t ctime_ns = 0;
    /// Permission bits; where there are none, those of a plain file.
    std::uint32_t mode = 0;
    /// A checksum of attributes that may change without the data: permissions, owner and number of
    /// names. 0 on systems where such a change does not change ctime.
    std::uint32_t attributes = 0;
    /// Bytes that it takes on the disk: less than `size` when it has holes.
    std::uint64_t allocated = 0;
    FileId id;
};

inline constexpr std::uint32_t kPrivateMode = 0600;
inline constexpr std::uint32_t kPlainMode = 0644;
inline constexpr std::uint32_t kExecutableMode = 0755;

// Paths that the user of this machine chose: symbolic links in them are followed.

/// The absolute path behind all links.
SystemResult<std::string> resolve(const std::string &path);
/// Last component of a path as written; empty for `/`, `.` and the like.
std::string last_name(const std::string &path);
SystemResult<FileStatus> status_of(const std::string &path);
/// Makes a folder and those above it that are missing.
SystemResult<> make_folders(const std::string &path);
SystemResult<FileHandle> open_folder(const std::string &path);
/// Opens a file whose last component must not be a link; never waits for a pipe's other end.
SystemResult<FileHandle> open_for_reading(const std::string &path);
/// Text of a link that the user's path names.
SystemResult<std::string> read_link(const std::string &path);

// Below an open folder: `name` is one component, and no link is followed.

/// `relative` may have several components; none of them may be a link, nor lead outside.
SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative);
SystemResult<> make_folder(const FileHandle &folder, const std::string &name);
/// A new file for writing; Exists when there is anything of this name.
SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode);
/// For reading, too: part files are read back.
SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name);
/// Opens a file or a journal; Link when it is one, never waits for a pipe's other end. `relative`
/// may have several components.
SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative);
/// The status of the entry itself, when it is a link.
SystemResult<FileStatus> status_beneath(const FileHandle &folder, const std::string &name);
SystemResult<std::string> read_link(const FileHandle &folder, const std::string &name);
/// A symbolic link with this text; Exists when there is anything of this name.
SystemResult<> make_link(const FileHandle &folder, const std::string &name,
                         const std::string &target);
/// Never replaces anything: Exists when `to` is taken, by a dangling link too.
SystemResult<> rename_new(const FileHandle &folder, const std::string &from, const std::string &to);
/// Puts the file in the place of a file or link; Exists when `to` is a folder.
SystemResult<> rename_over(const FileHandle &folder, const std::string &from,
                           const std::string &to);
SystemResult<> remove_file(const FileHandle &folder, const std::string &name);
/// Names of the files in `folder` that begin with `prefix`, at most `limit`.
SystemResult<std::vector<std::string>> list_names(const FileHandle &folder, std::string_view prefix,
                                                  std::size_t limit);
/// Makes names given and taken in this folder outlast a power loss.
SystemResult<> sync_folder(const FileHandle &folder);
/// Writes everything of the folder's file system to the disk: one call for many small files. False
/// when the system has no such call, or when other programs have so much to be written that syncing
/// `files` files one by one is faster.
SystemResult<bool> sync_file_system(const FileHandle &folder, std::size_t files = 0);
/// Modification time of an open folder, as far as it can be set.
void set_folder_time(const FileHandle &folder, std::int64_t mtime_ns);
/// The same for a link itself, whatever it leads to.
void set_link_time(const FileHandle &folder, const std::string &name, std::int64_t mtime_ns);

/// What a file system can do, found out at an open folder without leaving anything there.
struct VolumeFacts {
    /// Bytes that this user can still write there.
    std::uint64_t free_bytes = 0;
    /// The largest file that it can hold.
    std::uint64_t max_file_bytes = 0;
    /// Files that can still be made there; the most there is when the system tells no limit.
    std::uint64_t free_files = std::numeric_limits<std::uint64_t>::max();
    /// Identifies the volume. One that was removed and put in again may get another id, as far as
    /// the system knows.
    FileId id;
    /// Such a volume does get another id. So data that was written stays readable, from the disk or
    /// from memory, as long as `id` and boot_id() are the same. Network drives and file systems of
    /// programs may lose data that they accepted.
    bool counts_insertions = false;
};
SystemResult<VolumeFacts> volume_facts(const FileHandle &folder);

/// Changes with every start of the computer; empty when the system does not reveal it.
std::string boot_id();

// Operations on an open file.

SystemResult<FileStatus> status_of(const FileHandle &file);
/// Fewer bytes than asked only at the end of the file.
SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out);
SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes);
/// Cuts the file, or lengthens it by a hole.
SystemResult<> set_size(const FileHandle &file, std::uint64_t bytes);
/// Data, and what is needed to read it back, is on the disk; its name needs sync_folder. On macOS
/// it is there before all that is written later, and for good with the next sync_folder. After an
/// error nothing is known about what was written before, and asking again proves nothing.
SystemResult<> sync_data(const FileHandle &file);
/// As sync_data, for times and permissions, too: a file that is to get its name is known by its
/// time later.
SystemResult<> sync_file(const FileHandle &file);
/// Forgets what the system keeps in memory of the file, so that the next read comes from the disk
/// as far as the system allows it. What was not synced before stays in memory.
void drop_cache(const FileHandle &file);
/// The next run of data at or after `offset`: what lies before it is a hole. At the end of the file
/// `begin` and `end` are its size. The whole rest where the system can't tell holes.
struct DataRun {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
SystemResult<DataRun> next_data(const FileHandle &file, std::uint64_t offset);
/// Holds the file for this process until this handle is closed or the process ends; false when
/// another process or handle has it.
SystemResult<bool> try_lock(const FileHandle &file);
/// Takes the space for `bytes` from `offset` on now, so that a full disk shows before the data
/// comes; only looks whether there is so much where taking it costs as much as writing. Its size
/// does not change.
SystemResult<> reserve(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);
/// Marks what came from another computer the way that the system's own programs know and heed, as
/// far as the file system can hold it: an origin on Linux, quarantine on macOS, the internet zone
/// on Windows. `sender` is UTF-8 of any kind. May change the modification time.
void mark_received(const FileHandle &file, std::string_view sender);
/// Modification time and permission bits, as far as the file system can hold them.
void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode);

struct FolderEntry {
    std::string name;
    /// The status of the entry itself, when it is a link.
    SystemResult<FileStatus> status;
};

/// Lists a folder's entries one by one, in the system's order.
class FolderReader {
public:
    /// Follows links: a path that the user chose.
    static SystemResult<FolderReader> open(const std::string &path);
    /// A folder in this one; not through a link.
    SystemResult<FolderReader> open_child(const std::string &name) const;

    /// nullopt at the end; nothing more comes after an error.
    SystemResult<std::optional<FolderEntry>> next();

    FolderReader(FolderReader &&) noexcept;
    FolderReader &operator=(FolderReader &&) noexcept;
    ~FolderReader();

private:
    struct State;
    explicit FolderReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru::fs
