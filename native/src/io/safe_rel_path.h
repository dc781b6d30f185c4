// A relative path that may be written below a folder: the only thing that receiving file
// operations accept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace thru {

/// Whose naming rules apply where the files land.
enum class TargetRules : std::uint8_t { Posix, Windows, Macos };

/// The rules of the system this was built for.
TargetRules native_target_rules();

class SafeRelPath {
public:
    /// NameNotAllowed with the reason: absolute, empty, `.` or `..` components, separators of the
    /// target, control characters, invalid UTF-8, too long, too deep, our own part files' names,
    /// and on Windows reserved names, trailing dots or spaces, drive and stream colons.
    static Result<SafeRelPath> parse(std::string_view path,
                                     TargetRules rules = native_target_rules());

    const std::string &text() const { return text_; }
    std::vector<std::string_view> components() const;

private:
    explicit SafeRelPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

} // namespace thru
