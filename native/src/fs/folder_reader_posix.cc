#include <cerrno>

#include <dirent.h>
#include <fcntl.h>

#include "fs/file_system_posix.h"

namespace thru::fs {

namespace {

using Stream = std::unique_ptr<DIR, int (*)(DIR *)>;

SystemResult<Stream> open_stream(int folder, const char *name, int flags) {
    auto handle = open_at(folder, name, O_RDONLY | O_DIRECTORY | flags);
    if (!handle) {
        return std::unexpected(handle.error());
    }
    Stream stream(::fdopendir(descriptor(*handle)), &::closedir);
    if (!stream) {
        return std::unexpected(last_error());
    }
    handle->release();
    return stream;
}

/// Returns nullptr at the end.
SystemResult<const char *> next_name(DIR *stream) {
    for (;;) {
        errno = 0;
        const dirent *listed = ::readdir(stream);
        if (listed == nullptr) {
            return errno == 0 ? SystemResult<const char *>(nullptr) : std::unexpected(last_error());
        }
        const std::string_view name = listed->d_name;
        if (name != "." && name != "..") {
            return listed->d_name;
        }
    }
}

SystemResult<FileStatus> status_at(DIR *stream, const char *name) {
    struct stat status{};
    if (::fstatat(::dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return std::unexpected(last_error());
    }
    return status_from(status);
}

} // namespace

SystemResult<std::vector<std::string>> list_names(const FileHandle &folder, std::string_view prefix,
                                                  std::size_t limit) {
    const auto stream = open_stream(descriptor(folder), ".", 0);
    if (!stream) {
        return std::unexpected(stream.error());
    }
    std::vector<std::string> names;
    while (names.size() < limit) {
        const auto name = next_name(stream->get());
        if (!name) {
            return std::unexpected(name.error());
        }
        if (*name == nullptr) {
            break;
        }
        if (!std::string_view(*name).starts_with(prefix)) {
            continue;
        }
        const auto status = status_at(stream->get(), *name);
        if (status && status->type == FileType::File) {
            names.emplace_back(*name);
        }
    }
    return names;
}

struct FolderReader::State {
    Stream stream;

    static SystemResult<FolderReader> open(int folder, const char *name, int flags);
};

SystemResult<FolderReader> FolderReader::State::open(int folder, const char *name, int flags) {
    auto stream = open_stream(folder, name, flags);
    if (!stream) {
        return std::unexpected(stream.error());
    }
    return FolderReader(std::make_unique<State>(std::move(*stream)));
}

FolderReader::FolderReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
FolderReader::FolderReader(FolderReader &&) noexcept = default;
FolderReader &FolderReader::operator=(FolderReader &&) noexcept = default;
FolderReader::~FolderReader() = default;

SystemResult<FolderReader> FolderReader::open(const std::string &path) {
    return State::open(AT_FDCWD, path.c_str(), 0);
}

SystemResult<FolderReader> FolderReader::open_child(const std::string &name) const {
    return State::open(::dirfd(state_->stream.get()), name.c_str(), O_NOFOLLOW);
}

SystemResult<std::optional<FolderEntry>> FolderReader::next() {
    const auto name = next_name(state_->stream.get());
    if (!name) {
        return std::unexpected(name.error());
    }
    if (*name == nullptr) {
        return std::nullopt;
    }
    return FolderEntry{.name = *name, .status = status_at(state_->stream.get(), *name)};
}

} // namespace thru::fs
