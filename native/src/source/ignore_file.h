#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/path_pattern.h"

namespace thru {

/// Rules of one `.gitignore`, for the folder that contains it (gitignore(5)). Skips rules that no
/// pattern can express, and those after kMaxPatterns.
class IgnoreFile {
public:
    static constexpr const char *kName = ".gitignore";
    /// Content beyond this is not read.
    static constexpr std::size_t kMaxBytes = 64 * 1024;

    IgnoreFile() = default;
    explicit IgnoreFile(std::string_view text);

    /// True if the entry with this path, relative to the folder, is ignored; nullopt if no rule
    /// matches. Entries of an ignored folder must not be queried.
    std::optional<bool> leaves_out(std::string_view relative, bool is_folder) const;

private:
    struct Rule {
        PathPattern pattern;
        bool takes_back = false;
        bool folders_only = false;
    };

    void add(std::string_view line);

    std::vector<Rule> rules_;
};

} // namespace thru
