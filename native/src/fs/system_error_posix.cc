#include <cerrno>

#include "fs/file_system_posix.h"

namespace thru::fs {

SystemError error_of(int number) {
    switch (number) {
    case ENOENT:
        return {ErrorKind::NotFound, number};
    case EEXIST:
    case ENOTEMPTY:
        return {ErrorKind::Exists, number};
    case ELOOP:
        return {ErrorKind::Link, number};
    case ENOTDIR:
        return {ErrorKind::NotFolder, number};
    case ENAMETOOLONG:
    case EILSEQ:
        return {ErrorKind::BadName, number};
    case ENOSPC:
    case EDQUOT:
        return {ErrorKind::Full, number};
    case EFBIG:
        return {ErrorKind::TooLarge, number};
    case ENODEV:
    case ENXIO:
    case ENOTCONN:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ESTALE:
    case ETIMEDOUT:
        return {ErrorKind::Gone, number};
    case EIO:
        return {ErrorKind::Io, number};
    default:
        return {ErrorKind::Refused, number};
    }
}

SystemError last_error() { return error_of(errno); }

} // namespace thru::fs
