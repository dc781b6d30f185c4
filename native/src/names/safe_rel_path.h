// A relative path that may be written below a folder: the only thing that receiving file
// operations accept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace thru {

/// Whose naming rules apply where the files land.
enum class TargetRules : std::uint8_t { Posix, Windows, Macos };

/// The rules of the system this was built for.
TargetRules native_target_rules();

/// What the name of every part file begins with.
inline constexpr std::string_view kPartPrefix = ".~thru-";

class SafeRelPath {
public:
    /// NameNotAllowed with the reason: absolute, a drive letter, empty, `.` or `..` components,
    /// characters that are not is_visible() (controls among them), invalid UTF-8, too long, too
    /// deep, our own part files' names; on macOS and Windows also the names of file forks; on
    /// Windows also reserved names, trailing dots or spaces, backslashes and `<>:"|?*`.
    static Result<SafeRelPath> parse(std::string_view path,
                                     TargetRules rules = native_target_rules());

    const std::string &text() const { return text_; }
    /// The folder it stands in, empty at the top.
    std::string_view folder() const;
    /// The last component.
    std::string_view name() const;

private:
    /// It checks each component when it is added.
    friend class NameMap;
    explicit SafeRelPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

/// Whether an offer may have this path: NameNotAllowed with the reason when it is not relative and
/// canonical, has a zero byte, is too long, too deep, or names our own part files. What else a
/// system can't hold is written under its nearest_name().
Result<> check_offered_path(std::string_view path);
/// The same for one component, wherever it stands.
Result<> check_offered_component(std::string_view name);

/// What a component becomes where it can't be written by `rules`: itself when it can, else the
/// nearest name, at most kMaxComponentBytes long. What people could not see becomes its
/// percent_form(); on Windows a backslash becomes `%5C`, a reserved name `_CON`, and `a?b` `a_b`;
/// `C:x` becomes `C%3Ax` at the top of a target. Of components that an offer may have. Different
/// names can become the same.
std::string nearest_name(std::string_view component, TargetRules rules, bool at_top = false);

} // namespace thru
