#include "source/attribute_reader.h"

#include <algorithm>
#include <utility>

#include "names/attribute_name.h"

namespace thru {

ReadAttributes read_attributes(const fs::FileHandle &file) {
    ReadAttributes read{.created_ns = fs::creation_time(file)};
    auto names = fs::extended_attributes(file);
    if (!names) {
        read.incomplete = !fs::lacks_extended_attributes(names.error().number);
        return read;
    }
    std::erase_if(*names, [](const std::string &name) { return !is_kept_attribute(name); });
    std::ranges::sort(*names);
    std::size_t left = kMaxFileAttributeBytes;
    for (std::string &name : *names) {
        if (read.attributes.size() == kMaxFileAttributes || name.size() > left) {
            read.incomplete = true;
            break;
        }
        auto value = fs::read_extended_attribute(file, name, left - name.size());
        if (!value) {
            read.incomplete = true;
            continue;
        }
        left -= name.size() + value->size();
        read.attributes.push_back({.name = std::move(name), .value = *std::move(value)});
    }
    return read;
}

} // namespace thru
