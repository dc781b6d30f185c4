// The operating system's files, as little of them as the engine needs; one implementation for each
// system (file_system_posix.cc with _linux or _macos, file_system_win.cc). Private to io/.
//
// Paths and names are UTF-8 with '/' between components; on POSIX any bytes. What is below a
// received or shared folder is always reached through that folder's handle.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/error.h"

namespace thru::fs {

/// What callers tell apart.
enum class Trouble : std::uint8_t {
    NotFound,
    Exists,
    /// A symbolic link (or another kind of reparse point) where none is followed.
    Link,
    NotFolder,
    /// The file system can't hold this name.
    BadName,
    Full,
    Io,
    /// Permissions, read-only, limits and what else there is.
    Refused,
};

struct SystemError {
    Trouble trouble = Trouble::Refused;
    /// errno, or the Windows error number.
    std::int64_t number = 0;
};

template <class T = void> using SystemResult = std::expected<T, SystemError>;

/// What a system error means for a file that is read.
Error reading_error(const SystemError &error, std::string detail);
/// What it means for a file or folder that is made.
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
    /// Some systems tell only here that data could not be written.
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
    /// Permission bits; where there are none, those of a plain file.
    std::uint32_t mode = 0;
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

// Below an open folder: `name` is one component, and no link is followed.

/// `relative` may have several components; none of them may be a link, nor lead outside.
SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative);
SystemResult<> make_folder(const FileHandle &folder, const std::string &name);
/// A new file for writing; Exists when there is anything of this name.
SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode);
SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name);
/// Never replaces anything: Exists when `to` is taken, by a dangling link too.
SystemResult<> rename_new(const FileHandle &folder, const std::string &from, const std::string &to);
SystemResult<> remove_file(const FileHandle &folder, const std::string &name);
/// Bytes that this user can still write there.
SystemResult<std::uint64_t> free_bytes(const FileHandle &folder);

// Of an open file.

SystemResult<FileStatus> status_of(const FileHandle &file);
/// Fewer bytes than asked only at the end of the file.
SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out);
SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes);
/// Takes the space for `bytes` now, so that a full disk shows before the data comes. Its size does
/// not change.
SystemResult<> reserve(const FileHandle &file, std::uint64_t bytes);
/// Modification time and permission bits, as far as the file system can hold them.
void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode);

struct FolderEntry {
    std::string name;
    /// Of the entry itself, when it is a link.
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
