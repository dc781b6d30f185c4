#include "names/numbered_name.h"

#include <cstddef>

#include "names/code_points.h"

namespace thru {

namespace {

/// Longer ones, and those with a space, are rather the end of a sentence than an extension.
constexpr std::size_t kMaxExtension = 12;

/// With its dot; empty when there is none. A dot in front only hides the file.
std::string_view extension_of(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) {
        return {};
    }
    const std::string_view extension = name.substr(dot);
    const bool usual = extension.size() <= kMaxExtension && !extension.contains(' ');
    return usual ? extension : std::string_view{};
}

/// `mark` goes before the extension; what stands before it is cut until all of it fits.
std::string marked(std::string_view name, EntryKind kind, std::string_view mark) {
    const std::string_view extension =
        kind == EntryKind::File ? extension_of(name) : std::string_view{};
    const std::string_view stem =
        whole_characters(name.substr(0, name.size() - extension.size()),
                         kMaxComponentBytes - mark.size() - extension.size());
    return std::string(stem).append(mark).append(extension);
}

} // namespace

std::string numbered_name(std::string_view name, EntryKind kind, unsigned number) {
    return marked(name, kind, " (" + std::to_string(number) + ")");
}

std::string shortened_name(std::string_view name) { return marked(name, EntryKind::File, {}); }

} // namespace thru
