#include "fs/file_system.h"

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
    // The old file is closed when `other` is destroyed.
    std::swap(native_, other.native_);
    return *this;
}

FileHandle::Native FileHandle::release() { return std::exchange(native_, kNone); }

FileHandle::~FileHandle() {
    // Callers that need to know if the data was written call close themselves.
    static_cast<void>(close());
}

} // namespace thru::fs
