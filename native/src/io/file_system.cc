#include "io/file_system.h"

#include <utility>

namespace thru::fs {

Error reading_error(const SystemError &error, std::string detail) {
    const auto code = [&] {
        switch (error.trouble) {
        case Trouble::NotFound:
        case Trouble::NotFolder:
            return ErrorCode::PathNotFound;
        case Trouble::Link:
            return ErrorCode::PathUnsupported;
        case Trouble::BadName:
            return ErrorCode::NameNotAllowed;
        case Trouble::Io:
            return ErrorCode::DiskIo;
        case Trouble::Exists:
        case Trouble::Full:
        case Trouble::Refused:
            break;
        }
        return ErrorCode::PathUnreadable;
    }();
    return {.code = code, .cause = error.number, .detail = std::move(detail)};
}

Error writing_error(const SystemError &error, std::string detail) {
    const auto code = [&] {
        switch (error.trouble) {
        case Trouble::Full:
            return ErrorCode::DiskFull;
        case Trouble::Io:
            return ErrorCode::DiskIo;
        case Trouble::BadName:
            return ErrorCode::NameNotAllowed;
        case Trouble::NotFound:
        case Trouble::Exists:
        case Trouble::Link:
        case Trouble::NotFolder:
        case Trouble::Refused:
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
    // Who needs to know whether the data is written has called close before.
    static_cast<void>(close());
}

} // namespace thru::fs
