#include "names/numbered_name.h"

#include <cstddef>

#include "names/code_points.h"

namespace thru {

namespace {

/// Longer endings, and those with a space, are more likely part of the name.
constexpr std::size_t kMaxExtension = 12;

/// The extension with its dot, or empty. A leading dot only hides the file.
std::string_view extension_of(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) {
        return {};
    }
    const std::string_view extension = name.substr(dot);
    const bool usual = extension.size() <= kMaxExtension && !extension.contains(' ');
    return usual ? extension : std::string_view{};
}

/// Inserts `mark` before the extension, and shortens the name before it to fit.
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
