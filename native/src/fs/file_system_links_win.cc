#include <array>
#include <cstddef>
#include <cstring>

#include "fs/file_system_win.h"

#include <winioctl.h>

namespace thru::fs {

namespace {

/// The driver kit's REPARSE_DATA_BUFFER up to its names. Name offsets are relative to the end of
/// the fields that a link or a junction has.
struct Reparse {
    ULONG tag = 0;
    USHORT length = 0;
    USHORT reserved = 0;
    USHORT substitute_offset = 0;
    USHORT substitute_length = 0;
    USHORT print_offset = 0;
    USHORT print_length = 0;
};
static_assert(sizeof(Reparse) == 16);

SystemResult<std::string> text_of(const FileHandle &link) {
    constexpr std::size_t kMaxBytes = 16 * 1024; // MAXIMUM_REPARSE_DATA_BUFFER_SIZE
    constexpr std::size_t kLinkFlagsBytes = 4;
    std::array<std::uint8_t, kMaxBytes> buffer{};
    DWORD filled = 0;
    if (!DeviceIoControl(handle_of(link), FSCTL_GET_REPARSE_POINT, nullptr, 0, buffer.data(),
                         static_cast<DWORD>(buffer.size()), &filled, nullptr)) {
        return last_failure();
    }
    Reparse reparse;
    std::memcpy(&reparse, buffer.data(), sizeof(reparse));
    const bool symbolic = reparse.tag == IO_REPARSE_TAG_SYMLINK;
    if (!symbolic && reparse.tag != IO_REPARSE_TAG_MOUNT_POINT) {
        return std::unexpected(error_of(ERROR_NOT_SUPPORTED));
    }
    // The print name lacks the \??\ prefix of the system's name.
    const bool printed = reparse.print_length != 0;
    const std::size_t begin = sizeof(reparse) + (symbolic ? kLinkFlagsBytes : 0) +
                              (printed ? reparse.print_offset : reparse.substitute_offset);
    const std::size_t bytes = printed ? reparse.print_length : reparse.substitute_length;
    if (begin + bytes > filled) {
        return std::unexpected(error_of(ERROR_INVALID_DATA));
    }
    std::wstring wide(bytes / sizeof(wchar_t), L'\0');
    std::memcpy(wide.data(), buffer.data() + begin, wide.size() * sizeof(wchar_t));
    bool exact = false;
    std::string text = to_utf8(wide, exact);
    if (!exact) {
        return std::unexpected(error_of(ERROR_NO_UNICODE_TRANSLATION));
    }
    for (char &byte : text) {
        byte = byte == '\\' ? '/' : byte;
    }
    return text;
}

} // namespace

SystemResult<std::string> read_link(const std::string &path) {
    const auto link = open_path(path, FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT);
    if (!link) {
        return std::unexpected(link.error());
    }
    return text_of(*link);
}

SystemResult<std::string> read_link(const FileHandle &folder, const std::string &name) {
    const auto link = open_relative(handle_of(folder), name, {.options = FILE_OPEN_REPARSE_POINT});
    if (!link) {
        return std::unexpected(link.error());
    }
    return text_of(*link);
}

SystemResult<> make_link(const FileHandle &folder, const std::string &name,
                         const std::string &target) {
    // No handle-relative call makes links without a privilege.
    const auto above = final_path(folder);
    const auto last = to_wide(name);
    auto text = to_wide(target);
    if (!above || !last || !text) {
        return std::unexpected(!above ? above.error() : !last ? last.error() : text.error());
    }
    for (wchar_t &unit : *text) {
        unit = unit == L'/' ? L'\\' : unit;
    }
    // A link to a folder is a different kind. Only targets below the folder are checked: a network
    // path would send the user's credentials to another computer.
    const bool to_folder = open_folder_beneath(folder, target).has_value();
    const DWORD flags = SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE |
                        (to_folder ? SYMBOLIC_LINK_FLAG_DIRECTORY : 0);
    return check(CreateSymbolicLinkW((*above + L"\\" + *last).c_str(), text->c_str(), flags));
}

void set_link_time(const FileHandle &folder, const std::string &name, std::int64_t mtime_ns) {
    const auto link = open_relative(
        handle_of(folder), name,
        {.access = FILE_WRITE_ATTRIBUTES | SYNCHRONIZE, .options = FILE_OPEN_REPARSE_POINT});
    if (link) {
        set_time(*link, mtime_ns, 0);
    }
}

} // namespace thru::fs
