// A relative path that is safe to write below a folder; receives write to no other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace thru {

enum class TargetRules : std::uint8_t { Posix, Windows, Macos };

/// The rules of the system that this build is for.
TargetRules native_target_rules();

/// Every part file's name begins with this.
inline constexpr std::string_view kPartPrefix = ".~thru-";

class SafeRelPath {
public:
    /// NameNotAllowed, with the reason: absolute, drive letter, empty or `.` or `..` components,
    /// characters that are not is_visible() (such as controls), invalid UTF-8, too long or deep,
    /// our own part files' names. On macOS and Windows also names of file forks; on Windows also
    /// reserved names, trailing dots or spaces, backslashes and `<>:"|?*`.
    static Result<SafeRelPath> parse(std::string_view path,
                                     TargetRules rules = native_target_rules());

    const std::string &text() const { return text_; }
    /// The containing folder; empty at the top.
    std::string_view folder() const;
    /// The last component.
    std::string_view name() const;

private:
    /// NameMap checks each component when it adds it.
    friend class NameMap;
    explicit SafeRelPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

/// Checks a path in an offer. NameNotAllowed, with the reason: not relative and canonical, a zero
/// byte, too long or deep, or our part files' names. Disallowed names become their nearest_name().
Result<> check_offered_path(std::string_view path);
/// The same for one component at any depth.
Result<> check_offered_component(std::string_view name);

/// The nearest name to `component` that `rules` allow, at most kMaxComponentBytes long. Invisible
/// characters become their percent_form(). On Windows a backslash becomes `%5C`, a reserved name
/// `_CON`, and `a?b` `a_b`; elsewhere `C:x` becomes `C%3Ax` at the top of a target. Takes only
/// components that an offer may have. Different components can give the same name.
std::string nearest_name(std::string_view component, TargetRules rules, bool at_top = false);

} // namespace thru
