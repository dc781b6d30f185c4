#include <cerrno>
#include <climits>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include "fs/file_system_posix.h"

namespace thru::fs {

namespace {

/// Creating the file claims the name; the rename then replaces this empty file.
SystemResult<> move_to_claimed_name(const FileHandle &folder, const std::string &from,
                                    const FileHandle &to_folder, const std::string &to) {
    const int there = descriptor(to_folder);
    if (auto taken = create_file(to_folder, to, kPrivateMode); !taken) {
        return std::unexpected(taken.error());
    }
    if (::renameat(descriptor(folder), from.c_str(), there, to.c_str()) != 0) {
        const SystemError error = last_error();
        static_cast<void>(::unlinkat(there, to.c_str(), 0));
        return std::unexpected(error);
    }
    return {};
}

/// nullopt if this file system or kernel has no such call.
std::optional<SystemResult<>> renamed_exclusively(const FileHandle &folder, const std::string &from,
                                                  const FileHandle &to_folder,
                                                  const std::string &to) {
    if (rename_exclusively(descriptor(folder), from.c_str(), descriptor(to_folder), to.c_str()) ==
        0) {
        return SystemResult<>();
    }
    if (errno == ENOTSUP || errno == EINVAL || errno == ENOSYS) {
        return std::nullopt;
    }
    return std::unexpected(last_error());
}

} // namespace

SystemResult<FileHandle> open_folder(const std::string &path) {
    // A readable folder collects write errors for sync_file_system; not all are readable.
    auto folder = open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY);
    if (!folder && folder.error().kind == ErrorKind::Refused) {
        return open_at(AT_FDCWD, path.c_str(), kFolderFlags);
    }
    return folder;
}

SystemResult<FileHandle> walk_beneath(const FileHandle &folder, std::string_view relative) {
    FileHandle reached;
    while (!relative.empty()) {
        const std::size_t slash = relative.find('/');
        const std::string component(relative.substr(0, slash));
        relative.remove_prefix(slash == std::string_view::npos ? relative.size() : slash + 1);
        const FileHandle &above = reached.is_open() ? reached : folder;
        auto next = open_at(descriptor(above), component.c_str(), kFolderFlags | O_NOFOLLOW);
        if (!next) {
            // Linux reports a link opened as a folder only as "not a directory".
            const auto status = status_beneath(above, component);
            const bool link = status && status->type == FileType::Link;
            return std::unexpected(link ? error_of(ELOOP) : next.error());
        }
        reached = std::move(*next);
    }
    return reached;
}

SystemResult<FileHandle> walk_to_file(const FileHandle &folder, std::string_view relative) {
    const std::size_t slash = relative.rfind('/');
    if (slash == std::string_view::npos) {
        return open_at(descriptor(folder), std::string(relative).c_str(), kReadFlags);
    }
    const auto above = walk_beneath(folder, relative.substr(0, slash));
    if (!above) {
        return std::unexpected(above.error());
    }
    return walk_to_file(*above, relative.substr(slash + 1));
}

SystemResult<FileHandle> open_for_listing(const FileHandle &folder) {
    return open_at(descriptor(folder), ".", O_RDONLY | O_DIRECTORY);
}

SystemResult<> make_folder(const FileHandle &folder, const std::string &name) {
    return check(::mkdirat(descriptor(folder), name.c_str(), 0777));
}

SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode) {
    return open_at(descriptor(folder), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
                   static_cast<mode_t>(mode));
}

SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name) {
    return open_at(descriptor(folder), name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

SystemResult<FileStatus> status_beneath(const FileHandle &folder, const std::string &name) {
    struct stat status{};
    if (::fstatat(descriptor(folder), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return std::unexpected(last_error());
    }
    return status_from(status);
}

SystemResult<std::string> read_link_at(int folder, const std::string &name) {
    // One byte more than a path's maximum, to detect truncation.
    std::string text(PATH_MAX + 1, '\0');
    const ssize_t length = ::readlinkat(folder, name.c_str(), text.data(), text.size());
    if (length < 0) {
        return std::unexpected(last_error());
    }
    if (static_cast<std::size_t>(length) == text.size()) {
        return std::unexpected(error_of(ENAMETOOLONG));
    }
    text.resize(static_cast<std::size_t>(length));
    return text;
}

SystemResult<std::string> read_link(const FileHandle &folder, const std::string &name) {
    return read_link_at(descriptor(folder), name);
}

SystemResult<> make_link(const FileHandle &folder, const std::string &name,
                         const std::string &target) {
    return check(::symlinkat(target.c_str(), descriptor(folder), name.c_str()));
}

SystemResult<> make_hard_link(const FileHandle &folder, const std::string &from,
                              const FileHandle &to_folder, const std::string &to) {
    return check(::linkat(descriptor(folder), from.c_str(), descriptor(to_folder), to.c_str(), 0));
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    const auto renamed = renamed_exclusively(folder, from, folder, to);
    return renamed ? *renamed : rename_new_by_link(folder, from, to);
}

SystemResult<> move_new(const FileHandle &folder, const std::string &from,
                        const FileHandle &to_folder, const std::string &to) {
    // No second link: another program may replace `from` before it could be removed.
    const auto moved = renamed_exclusively(folder, from, to_folder, to);
    return moved ? *moved : move_to_claimed_name(folder, from, to_folder, to);
}

SystemResult<> rename_new_by_link(const FileHandle &folder, const std::string &from,
                                  const std::string &to) {
    const int at = descriptor(folder);
    if (::linkat(at, from.c_str(), at, to.c_str(), 0) == 0) {
        // If the old name remains, the file is still complete under the new one.
        static_cast<void>(::unlinkat(at, from.c_str(), 0));
        return {};
    }
    if (errno == EEXIST) {
        return std::unexpected(last_error());
    }
    return move_to_claimed_name(folder, from, folder, to);
}

SystemResult<> rename_over(const FileHandle &folder, const std::string &from,
                           const std::string &to) {
    const int at = descriptor(folder);
    if (::renameat(at, from.c_str(), at, to.c_str()) == 0) {
        return {};
    }
    // A folder is in the way.
    return std::unexpected(error_of(errno == EISDIR ? EEXIST : errno));
}

SystemResult<bool> exchange(const FileHandle &folder, const std::string &first,
                            const std::string &second) {
    if (rename_exchanging(descriptor(folder), first.c_str(), second.c_str()) == 0) {
        return true;
    }
    if (errno == ENOTSUP || errno == EINVAL || errno == ENOSYS) {
        return false;
    }
    return std::unexpected(last_error());
}

SystemResult<> remove_file(const FileHandle &folder, const std::string &name) {
    return check(::unlinkat(descriptor(folder), name.c_str(), 0));
}

SystemResult<> remove_folder(const FileHandle &folder, const std::string &name) {
    return check(::unlinkat(descriptor(folder), name.c_str(), AT_REMOVEDIR));
}

SystemResult<> sync_folder(const FileHandle &folder) {
    const auto listing = open_for_listing(folder);
    if (!listing) {
        return std::unexpected(listing.error());
    }
    const auto synced = sync_names(*listing);
    // Some file systems have no such call for folders: they write names in their own order.
    const bool unknown =
        !synced && (synced.error().number == EINVAL || synced.error().number == ENOTSUP);
    return unknown ? SystemResult<>{} : synced;
}

SystemResult<FileHandle> open_folder_attributes(const FileHandle &folder) {
    return open_for_listing(folder);
}

void set_folder_time(const FileHandle &folder, std::int64_t mtime_ns) {
    // Set by name, because a descriptor opened only for traversal can't set times.
    static_cast<void>(::utimensat(descriptor(folder), ".", NewTimes(mtime_ns).times, 0));
}

void set_link_time(const FileHandle &folder, const std::string &name, std::int64_t mtime_ns) {
    static_cast<void>(::utimensat(descriptor(folder), name.c_str(), NewTimes(mtime_ns).times,
                                  AT_SYMLINK_NOFOLLOW));
}

} // namespace thru::fs
