// The file operations that the engine needs. There is one implementation per system
// (file_system*_posix.cc with _linux or _macos, file_system*_win.cc), and one in memory for crash
// tests.
//
// Paths and names are UTF-8 with '/' between components, or any bytes on POSIX. Items below a
// received or shared folder are always reached through that folder's handle.
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
    /// A symbolic link (or another reparse point) where links are not followed.
    Link,
    NotFolder,
    /// The file system doesn't allow this name.
    BadName,
    /// The disk or this user's quota is full.
    Full,
    /// Larger than the file system or a limit of this process allows.
    TooLarge,
    /// The device or the network drive is gone.
    Gone,
    Io,
    /// Permissions, read-only, limits and anything else.
    Refused,
};

struct SystemError {
    ErrorKind kind = ErrorKind::Refused;
    /// errno, or the Windows error number.
    std::int64_t number = 0;
};

template <class T = void> using SystemResult = std::expected<T, SystemError>;

/// True if this SystemError::number of ErrorKind::Full means that the user's quota is exhausted.
bool is_quota(std::int64_t number);

/// The error code for a system error on a file that is read.
Error reading_error(const SystemError &error, std::string detail);
/// The error code for a system error on a file or folder that is made.
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
    /// Gives up ownership without closing the file.
    Native release();
    /// Some systems report failed writes only here.
    SystemResult<> close();

private:
    Native native_ = kNone;
};

enum class FileType : std::uint8_t { File, Folder, Link, Other };

/// Identifies a file on this machine.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    bool operator==(const FileId &) const = default;
};

struct FileStatus {
    FileType type = FileType::Other;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    /// Time of the last change to data or attributes; mtime_ns on systems without it.
    std::int64_t ctime_ns = 0;
    /// Permission bits; on systems without them, those of a plain file.
    std::uint32_t mode = 0;
    /// A checksum of attributes that can change without the data: permissions, owner and number of
    /// links. 0 on systems where such a change doesn't affect ctime.
    std::uint32_t attributes = 0;
    /// Names of the file on the disk (hard links). 1 where a listing doesn't report them.
    std::uint32_t links = 1;
    /// Bytes allocated on the disk: less than `size` for a file with holes.
    std::uint64_t allocated = 0;
    FileId id;
};

inline constexpr std::uint32_t kPrivateMode = 0600;
inline constexpr std::uint32_t kPlainMode = 0644;
inline constexpr std::uint32_t kExecutableMode = 0755;
/// True if the owner may execute a file with these permission bits.
inline bool is_executable(std::uint32_t mode) { return (mode & 0100) != 0; }
/// Execution is allowed to everyone who may read the file, or to no one.
inline std::uint32_t with_execution(std::uint32_t mode, bool executable) {
    return executable ? mode | ((mode & 0444) >> 2) : mode & ~std::uint32_t{0111};
}

// Functions for paths that the user of this machine chose: symbolic links are followed.

/// The absolute path with all links resolved.
SystemResult<std::string> resolve(const std::string &path);
/// Last component of a path as written; empty for `/`, `.`, `..` and a drive.
std::string last_name(const std::string &path);
SystemResult<FileStatus> status_of(const std::string &path);
/// Makes a folder and its missing parents.
SystemResult<> make_folders(const std::string &path);
SystemResult<FileHandle> open_folder(const std::string &path);
/// Opens a file whose last component must not be a link; never waits for a pipe's other end.
SystemResult<FileHandle> open_for_reading(const std::string &path);
SystemResult<std::string> read_link(const std::string &path);

// Functions below an open folder: `name` is one component, and no link is followed.

/// `relative` may have several components, none of which may be a link or lead outside.
SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative);
SystemResult<> make_folder(const FileHandle &folder, const std::string &name);
/// Makes a file for writing; Exists if the name is taken.
SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode);
/// Also allows reading, because part files are read back.
SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name);
/// Opens a file; Link for a symbolic link. Never waits for a pipe. `relative`: any number of parts.
SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative);
/// The status of a link itself, not of its target.
SystemResult<FileStatus> status_beneath(const FileHandle &folder, const std::string &name);
SystemResult<std::string> read_link(const FileHandle &folder, const std::string &name);
/// Makes a symbolic link with this text; Exists if the name is taken.
SystemResult<> make_link(const FileHandle &folder, const std::string &name,
                         const std::string &target);
/// Gives a file another name, in a folder of the same volume; Exists if `to` is taken.
SystemResult<> make_hard_link(const FileHandle &folder, const std::string &from,
                              const FileHandle &to_folder, const std::string &to);
/// Never replaces anything: Exists if `to` is taken, even by a dangling link.
SystemResult<> rename_new(const FileHandle &folder, const std::string &from, const std::string &to);
/// Replaces a file or link; Exists if `to` is a folder.
SystemResult<> rename_over(const FileHandle &folder, const std::string &from,
                           const std::string &to);
/// Exchanges two names in one step, of whatever kind. False if the system or volume can't.
SystemResult<bool> exchange(const FileHandle &folder, const std::string &first,
                            const std::string &second);
/// Moves a file or link to another folder of the volume; Exists if `to` is taken there.
SystemResult<> move_new(const FileHandle &folder, const std::string &from,
                        const FileHandle &to_folder, const std::string &to);
SystemResult<> remove_file(const FileHandle &folder, const std::string &name);
/// Removes an empty folder.
SystemResult<> remove_folder(const FileHandle &folder, const std::string &name);
/// Names of at most `limit` files in `folder` that begin with `prefix`.
SystemResult<std::vector<std::string>> list_names(const FileHandle &folder, std::string_view prefix,
                                                  std::size_t limit);
/// Makes name changes in this folder survive a power loss.
SystemResult<> sync_folder(const FileHandle &folder);
/// Writes the folder's whole file system to the disk: one call for many small files. False if the
/// system has no such call, or if syncing `files` files one by one is faster because of other
/// programs' unwritten data.
SystemResult<bool> sync_file_system(const FileHandle &folder, std::size_t files = 0);
/// Sets the modification time of an open folder, if possible.
void set_folder_time(const FileHandle &folder, std::int64_t mtime_ns);
/// The same for a link itself, not its target.
void set_link_time(const FileHandle &folder, const std::string &name, std::int64_t mtime_ns);

/// Properties of a file system, measured at an open folder without leaving anything there.
struct VolumeFacts {
    /// Bytes that this user can still write.
    std::uint64_t free_bytes = 0;
    std::uint64_t max_file_bytes = 0;
    /// Number of files that can still be made; the maximum if the system reports no limit.
    std::uint64_t free_files = std::numeric_limits<std::uint64_t>::max();
    /// Identifies the volume. A volume may get a new ID when it is removed and reinserted.
    FileId id;
    /// True if reinsertion always changes the ID. While `id` and boot_id() stay the same, written
    /// data is then readable. Network drives and FUSE file systems may lose accepted data.
    bool counts_insertions = false;
};
SystemResult<VolumeFacts> volume_facts(const FileHandle &folder);

/// Changes each time the computer starts; empty if the system doesn't report it.
std::string boot_id();

SystemResult<FileStatus> status_of(const FileHandle &file);
/// Reads fewer bytes than requested only at the end of the file.
SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out);
SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes);
/// Gives an empty file the content of another by sharing its blocks. False if the system can't.
bool share_content(const FileHandle &from, const FileHandle &to);
/// Truncates the file, or extends it by a hole.
SystemResult<> set_size(const FileHandle &file, std::uint64_t bytes);
/// Makes the data, and everything needed to read it, durable; the name needs sync_folder. On macOS
/// it only orders the data before later writes; the next sync_folder makes it durable. After an
/// error the state of earlier writes is unknown, and a repeated call proves nothing.
SystemResult<> sync_data(const FileHandle &file);
/// Like sync_data, with times and permissions; published files are recognized by their time.
SystemResult<> sync_file(const FileHandle &file);
/// Drops the file from the system's cache, so that the next read comes from the disk if the system
/// allows it. Unsynced data stays in memory.
void drop_cache(const FileHandle &file);
/// The next run of data at or after `offset`; anything before it is a hole. At the end of the file,
/// `begin` and `end` are its size. The entire rest if the system can't report holes.
struct DataRun {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
SystemResult<DataRun> next_data(const FileHandle &file, std::uint64_t offset);
/// Locks the file until the handle or the process ends; false if another process or handle has it.
SystemResult<bool> try_lock(const FileHandle &file);
/// Reserves `bytes` from `offset`, so that a full disk is noticed before the data arrives. If that
/// costs as much as writing, only checks the free space. The file's size doesn't change.
SystemResult<> reserve(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);
/// Marks a file from another computer in the way that the system's own programs know, if the file
/// system can store it. That is an origin on Linux, quarantine on macOS, and the internet zone on
/// Windows. `sender` is any UTF-8. May change the modification time.
void mark_received(const FileHandle &file, std::string_view sender);
/// Stores a few bytes about a file's sender in an attribute. False if the file system can't. Keeps
/// the modification time.
bool set_sender_record(const FileHandle &file, ByteView record);
/// Reads the stored bytes; false unless they are as many as `out` has.
bool read_sender_record(const FileHandle &file, MutableByteView out);
/// Opens a folder again for its attributes and creation time: to read them, and if possible also to
/// write them.
SystemResult<FileHandle> open_folder_attributes(const FileHandle &folder);
/// Names of the attributes that any program may set, in any order. Linux's are without the `user.`
/// in front of them. None on Windows.
SystemResult<std::vector<std::string>> extended_attributes(const FileHandle &file);
/// An error if it has more than `max_bytes`.
SystemResult<std::string> read_extended_attribute(const FileHandle &file, std::string_view name,
                                                  std::size_t max_bytes);
/// Changes nothing if it has this value.
SystemResult<> write_extended_attribute(const FileHandle &file, std::string_view name,
                                        std::string_view value);
/// True if this SystemError::number means that the file system has no extended attributes.
bool lacks_extended_attributes(std::int64_t number);
/// When the file was made; nullopt if the file system doesn't say.
std::optional<std::int64_t> creation_time(const FileHandle &file);
/// False where files have no extended attributes.
extern const bool kHasExtendedAttributes;
/// False where no program can set that time.
extern const bool kSetsCreationTimes;
/// Sets it if the file system supports that, after the modification time: macOS lowers it to that.
void set_creation_time(const FileHandle &file, std::int64_t ns);
/// Sets modification time and permission bits, if the file system supports them.
void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode);

struct FolderEntry {
    std::string name;
    /// The status of a link itself, not of its target.
    SystemResult<FileStatus> status;
};

/// Lists a folder's entries one by one, in the system's order.
class FolderReader {
public:
    /// Follows links, because the user chose the path.
    static SystemResult<FolderReader> open(const std::string &path);
    /// Opens a subfolder, not through a link.
    SystemResult<FolderReader> open_child(const std::string &name) const;

    /// Returns nullopt at the end, and nothing after an error.
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
