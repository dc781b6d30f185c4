// What a `.gitignore` leaves out.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/path_pattern.h"

namespace thru {

/// The rules of one such file, for the folder that it stands in (gitignore(5)). Rules that a
/// pattern can't be are skipped, and so are those after kMaxPatterns.
class IgnoreFile {
public:
    static constexpr const char *kName = ".gitignore";
    /// What stands behind that is not read.
    static constexpr std::size_t kMaxBytes = 64 * 1024;

    IgnoreFile() = default;
    explicit IgnoreFile(std::string_view text);

    /// Whether to leave out the entry with this path, which is relative to the folder; nothing when
    /// no rule is about it. What is in a folder that is left out can't be asked about.
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
