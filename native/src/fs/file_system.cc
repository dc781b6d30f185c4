#include "fs/file_system.h"

#include <random>
#include <utility>

namespace thru::fs {

Error reading_error(const SystemError &error, std::string detail) {
    const auto code = [&] {
        switch (error.kind) {
        case ErrorKind::NotFound:
        case ErrorKind::NotFolder:
            return ErrorCode::PathNotFound;
        case ErrorKind::Link:
            return ErrorCode::PathUnsupported;
        case ErrorKind::BadName:
            return ErrorCode::NameNotAllowed;
        case ErrorKind::Gone:
        case ErrorKind::Io:
            return ErrorCode::DiskIo;
        case ErrorKind::Exists:
        case ErrorKind::Full:
        case ErrorKind::TooLarge:
        case ErrorKind::Refused:
            break;
        }
        return ErrorCode::PathUnreadable;
    }();
    return {.code = code, .cause = error.number, .detail = std::move(detail)};
}

Error writing_error(const SystemError &error, std::string detail) {
    const auto code = [&] {
        switch (error.kind) {
        case ErrorKind::Full:
            return ErrorCode::DiskFull;
        case ErrorKind::TooLarge:
            return ErrorCode::FileTooLarge;
        case ErrorKind::Gone:
            return ErrorCode::TargetGone;
        case ErrorKind::Io:
            return ErrorCode::DiskIo;
        case ErrorKind::BadName:
            return ErrorCode::NameNotAllowed;
        case ErrorKind::NotFound:
        case ErrorKind::Exists:
        case ErrorKind::Link:
        case ErrorKind::NotFolder:
        case ErrorKind::Refused:
            break;
        }
        return ErrorCode::TargetNotWritable;
    }();
    return {.code = code, .cause = error.number, .detail = std::move(detail)};
}

FileHandle::FileHandle(FileHandle &&other) noexcept
    : native_(std::exchange(other.native_, kNone)) {}

FileHandle &FileHandle::operator=(FileHandle &&other) noexcept {
    // The old file is closed by `other`, at the end of its life.
    std::swap(native_, other.native_);
    return *this;
}

FileHandle::Native FileHandle::release() { return std::exchange(native_, kNone); }

FileHandle::~FileHandle() {
    // Callers that need to know whether the data is written have called close before.
    static_cast<void>(close());
}

SystemResult<> replace_file(const std::string &path, ByteView bytes) {
    const std::string name = last_name(path);
    const std::string above = path.substr(0, path.rfind(name));
    const auto folder = open_folder(above.empty() ? "." : above);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    // A name for this call alone: another process may be replacing the same file.
    std::random_device random;
    const std::string fresh = name + "." + std::to_string(random()) + ".new";
    const auto replaced = [&]() -> SystemResult<> {
        auto file = create_file(*folder, fresh, kPrivateMode);
        if (!file) {
            return std::unexpected(file.error());
        }
        if (auto done = write_at(*file, 0, bytes); !done) {
            return done;
        }
        if (auto done = sync_data(*file); !done) {
            return done;
        }
        if (auto done = file->close(); !done) {
            return done;
        }
        return rename_over(*folder, fresh, name);
    }();
    if (!replaced) {
        static_cast<void>(remove_file(*folder, fresh));
        return replaced;
    }
    return sync_folder(*folder);
}

} // namespace thru::fs
