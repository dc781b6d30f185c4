// A relative path that may be written below a folder: the only thing that receiving file
// operations accept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
    /// backslashes, control characters, characters that change how a name reads, invalid UTF-8, too
    /// long, too deep, our own part files' names; on macOS and Windows also the names of file
    /// forks; on Windows also reserved names, trailing dots or spaces, `<>:"|?*`.
    static Result<SafeRelPath> parse(std::string_view path,
                                     TargetRules rules = native_target_rules());

    const std::string &text() const { return text_; }
    std::vector<std::string_view> components() const;
    /// The folder it stands in, empty at the top.
    std::string_view folder() const;
    /// The last component.
    std::string_view name() const;

private:
    explicit SafeRelPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

/// Whether SafeRelPath::parse would take it; the same errors.
Result<> check_path(std::string_view path, TargetRules rules);
/// The same for one component, wherever it stands.
Result<> check_component(std::string_view name, TargetRules rules);

/// What a component becomes where `rules` don't allow it: itself when they do, else the nearest
/// name, `_CON` of `CON` and `a_b` of `a?b`. Of components that TargetRules::Posix allow. Different
/// names can become the same.
std::string nearest_name(std::string_view component, TargetRules rules);

} // namespace thru
