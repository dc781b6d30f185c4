#include <algorithm>
#include <cerrno>

#include "fs/file_system_posix.h"

namespace thru::fs {

namespace {

/// The most that Linux lists. macOS may list more, which is refused.
constexpr std::size_t kMaxListBytes = 64 * 1024;

std::string system_name(std::string_view name) {
    return std::string(kAttributePrefix).append(name);
}

} // namespace

const bool kHasExtendedAttributes = true;

SystemResult<std::vector<std::string>> extended_attributes(const FileHandle &file) {
    const ssize_t size = list_attributes(descriptor(file), nullptr, 0);
    if (size < 0 || static_cast<std::size_t>(size) > kMaxListBytes) {
        return std::unexpected(size < 0 ? last_error() : error_of(E2BIG));
    }
    std::string list(static_cast<std::size_t>(size), '\0');
    // Fails if another program has added one meanwhile.
    const ssize_t listed =
        size > 0 ? list_attributes(descriptor(file), list.data(), list.size()) : 0;
    if (listed < 0) {
        return std::unexpected(last_error());
    }
    std::vector<std::string> names;
    for (std::string_view left = std::string_view(list).substr(0, static_cast<std::size_t>(listed));
         !left.empty();) {
        const std::string_view name = left.substr(0, left.find('\0'));
        left.remove_prefix(std::min(name.size() + 1, left.size()));
        if (name.size() > kAttributePrefix.size() && name.starts_with(kAttributePrefix)) {
            names.emplace_back(name.substr(kAttributePrefix.size()));
        }
    }
    return names;
}

SystemResult<std::string> read_extended_attribute(const FileHandle &file, std::string_view name,
                                                  std::size_t max_bytes) {
    const std::string called = system_name(name);
    const ssize_t size = get_attribute(descriptor(file), called.c_str(), nullptr, 0);
    if (size < 0 || static_cast<std::size_t>(size) > max_bytes) {
        return std::unexpected(size < 0 ? last_error() : error_of(E2BIG));
    }
    std::string value(static_cast<std::size_t>(size), '\0');
    const ssize_t read =
        size > 0 ? get_attribute(descriptor(file), called.c_str(), value.data(), value.size()) : 0;
    if (read < 0) {
        return std::unexpected(last_error());
    }
    value.resize(static_cast<std::size_t>(read));
    return value;
}

SystemResult<> write_extended_attribute(const FileHandle &file, std::string_view name,
                                        std::string_view value) {
    const auto present = read_extended_attribute(file, name, value.size());
    if (present && *present == value) {
        return {};
    }
    return check(set_attribute(descriptor(file), system_name(name).c_str(), value));
}

bool lacks_extended_attributes(std::int64_t number) { return number == ENOTSUP; }

} // namespace thru::fs
