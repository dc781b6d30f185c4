#include "fs/file_system_win.h"

namespace thru::fs {

SystemError error_of(DWORD number) {
    switch (number) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
        return {ErrorKind::NotFound, number};
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return {ErrorKind::Exists, number};
    case kReparsePointEncountered:
    case kStoppedOnSymlink:
        return {ErrorKind::Link, number};
    case ERROR_DIRECTORY:
        return {ErrorKind::NotFolder, number};
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_FILENAME_EXCED_RANGE:
    case ERROR_NO_UNICODE_TRANSLATION:
        return {ErrorKind::BadName, number};
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case kDiskQuotaExceeded:
        return {ErrorKind::Full, number};
    case ERROR_FILE_TOO_LARGE:
    case kFileSystemLimitation:
        return {ErrorKind::TooLarge, number};
    case ERROR_NOT_READY:
    case ERROR_WRONG_DISK:
    case ERROR_REM_NOT_LIST:
    case ERROR_UNEXP_NET_ERR:
    case ERROR_NETNAME_DELETED:
    case ERROR_DEV_NOT_EXIST:
    case kNoSuchDevice:
    case ERROR_FILE_INVALID:
    case ERROR_MEDIA_CHANGED:
    case ERROR_NO_MEDIA_IN_DRIVE:
    case ERROR_DEVICE_NOT_CONNECTED:
    case ERROR_DEVICE_REMOVED:
    case ERROR_NETWORK_UNREACHABLE:
    case ERROR_HOST_UNREACHABLE:
    case ERROR_CONNECTION_ABORTED:
        return {ErrorKind::Gone, number};
    case ERROR_IO_DEVICE:
    case ERROR_CRC:
    case ERROR_READ_FAULT:
    case ERROR_WRITE_FAULT:
    case ERROR_SECTOR_NOT_FOUND:
        return {ErrorKind::Io, number};
    default:
        return {ErrorKind::Refused, number};
    }
}

bool no_such_call(const SystemError &error) {
    return error.number == ERROR_INVALID_FUNCTION || error.number == ERROR_NOT_SUPPORTED ||
           error.number == ERROR_INVALID_PARAMETER || error.number == ERROR_INVALID_LEVEL ||
           error.number == ERROR_CALL_NOT_IMPLEMENTED;
}

} // namespace thru::fs
