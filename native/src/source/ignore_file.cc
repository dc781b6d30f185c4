#include "source/ignore_file.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace thru {

namespace {

/// Removes the line ending and trailing spaces, unless a backslash precedes them.
std::string_view trimmed(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    while (line.ends_with(' ') && !line.ends_with("\\ ")) {
        line.remove_suffix(1);
    }
    return line;
}

} // namespace

IgnoreFile::IgnoreFile(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    while (!text.empty() && rules_.size() < kMaxPatterns) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        add(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void IgnoreFile::add(std::string_view line) {
    if (line.empty() || line.starts_with('#')) {
        return;
    }
    const bool takes_back = line.starts_with('!');
    line.remove_prefix(takes_back ? 1 : 0);
    if (auto pattern = PathPattern::parse(line)) {
        rules_.push_back({.pattern = std::move(*pattern),
                          .takes_back = takes_back,
                          .folders_only = line.ends_with('/')});
    }
}

/// The last matching rule decides.
std::optional<bool> IgnoreFile::leaves_out(std::string_view relative, bool is_folder) const {
    for (const Rule &rule : std::views::reverse(rules_)) {
        if ((is_folder || !rule.folders_only) && rule.pattern.matches_itself(relative)) {
            return !rule.takes_back;
        }
    }
    return std::nullopt;
}

} // namespace thru
