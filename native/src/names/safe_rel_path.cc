#include "names/safe_rel_path.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "names/code_points.h"
#include "names/numbered_name.h"
#include "wire/manifest.h"

namespace thru {

namespace {

/// The reason for refusing a name, or nullptr.
using Refusal = const char *;

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F; }

Refusal refused_character(std::string_view name) {
    char32_t before = 0;
    while (!name.empty()) {
        if (is_plain_ascii(name[0])) {
            before = static_cast<unsigned char>(name[0]);
            name.remove_prefix(1);
            continue;
        }
        const auto c = take_code_point(name);
        if (!c) {
            return "not UTF-8";
        }
        if (!is_visible(*c, before)) {
            return "control, invisible or direction-changing character";
        }
        before = *c;
    }
    return nullptr;
}

/// Some programs treat `C:x` as a path with a drive, even outside Windows.
bool begins_with_drive(std::string_view path) {
    return path.size() >= 2 && path[1] == ':' && is_letter(path[0]);
}

/// Without the backslash, which separates components on Windows.
constexpr std::string_view kNotOnWindows = "<>:\"|?*";

/// Checks the part before the first dot without trailing spaces; superscript 1 to 3 are digits.
bool is_windows_device(std::string_view plain) {
    const std::string_view base = plain.substr(0, plain.find('.'));
    const std::string_view stem = base.substr(0, base.find_last_not_of(' ') + 1);
    constexpr std::array<std::string_view, 7> kDevices = {"con",    "prn",     "aux",   "nul",
                                                          "conin$", "conout$", "clock$"};
    if (std::ranges::find(kDevices, stem) != kDevices.end()) {
        return true;
    }
    const bool port = stem.starts_with("com") || stem.starts_with("lpt");
    return port && stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9';
}

/// `file/..namedfork/rsrc` is a resource fork. Windows rules, the portable ones, refuse it too.
bool is_macos_fork(std::string_view plain) { return plain == "..namedfork"; }

Refusal refused_on_windows(std::string_view name, std::string_view plain) {
    if (name.contains('\\') || name.find_first_of(kNotOnWindows) != std::string_view::npos) {
        return "character that Windows does not allow";
    }
    if (name.ends_with('.') || name.ends_with(' ')) {
        return "dot or space at the end";
    }
    if (is_windows_device(plain)) {
        return "reserved name on Windows";
    }
    return nullptr;
}

/// Applies to every offered component, whatever its name on disk.
Refusal refused_offered_component(std::string_view name) {
    if (name.empty()) {
        return "empty name";
    }
    if (name == "." || name == "..") {
        return "dot name";
    }
    if (name.contains('\0') || name.contains('/')) {
        return "slash or zero byte in a name";
    }
    // Windows and macOS count UTF-16 units, of which there are never more than bytes.
    if (name.size() > kMaxComponentBytes) {
        return "name too long";
    }
    if (is_plain_ascii(name[0]) && name[0] != '.') {
        return nullptr; // part files begin with a dot or a look-alike
    }
    return plainly_folded(percent_form(name)).starts_with(kPartPrefix) ? "name of a part file"
                                                                       : nullptr;
}

Refusal refused_component(std::string_view name, TargetRules rules) {
    if (const Refusal refusal = refused_offered_component(name)) {
        return refusal;
    }
    if (const Refusal refusal = refused_character(name)) {
        return refusal;
    }
    if (rules == TargetRules::Posix) {
        return nullptr;
    }
    const std::string plain = plainly_folded(name);
    if (is_macos_fork(plain)) {
        return "name of a file fork";
    }
    return rules == TargetRules::Windows ? refused_on_windows(name, plain) : nullptr;
}

/// Checks each component by `refused_name`.
template <class RefusedName> Refusal refused(std::string_view path, RefusedName refused_name) {
    if (path.size() > kMaxPathBytes) {
        return "path too long";
    }
    for (std::size_t depth = 1;; ++depth) {
        if (depth > kMaxPathDepth) {
            return "too many folders deep";
        }
        const std::size_t slash = path.find('/');
        if (const Refusal refusal = refused_name(path.substr(0, slash))) {
            return refusal;
        }
        if (slash == std::string_view::npos) {
            return nullptr;
        }
        path.remove_prefix(slash + 1);
    }
}

Result<> to_result(Refusal refusal) {
    return refusal ? fail(ErrorCode::NameNotAllowed, 0, refusal) : Result<>{};
}

} // namespace

Result<> check_offered_path(std::string_view path) {
    return to_result(refused(path, refused_offered_component));
}

Result<> check_offered_component(std::string_view name) {
    return to_result(refused_offered_component(name));
}

Result<SafeRelPath> SafeRelPath::parse(std::string_view path, TargetRules rules) {
    if (begins_with_drive(path)) {
        return fail(ErrorCode::NameNotAllowed, 0, "drive letter");
    }
    const auto refused_here = [rules](std::string_view name) {
        return refused_component(name, rules);
    };
    if (const Refusal refusal = refused(path, refused_here)) {
        return fail(ErrorCode::NameNotAllowed, 0, refusal);
    }
    return SafeRelPath(std::string(path));
}

std::string_view SafeRelPath::folder() const {
    const std::size_t slash = text_.rfind('/');
    return slash == std::string::npos ? std::string_view{}
                                      : std::string_view(text_).substr(0, slash);
}

std::string_view SafeRelPath::name() const {
    return std::string_view(text_).substr(text_.rfind('/') + 1);
}

std::string nearest_name(std::string_view component, TargetRules rules, bool at_top) {
    std::string name = percent_form(component);
    if (rules == TargetRules::Windows) {
        for (std::size_t at = name.find('\\'); at != std::string::npos; at = name.find('\\')) {
            name.replace(at, 1, "%5C");
        }
        std::ranges::replace_if(name, [](char c) { return kNotOnWindows.contains(c); }, '_');
    } else if (at_top && begins_with_drive(name)) {
        name.replace(1, 1, "%3A");
    }
    if (name.size() > kMaxComponentBytes) {
        name = shortened_name(name);
    }
    if (rules == TargetRules::Posix) {
        return name;
    }
    const std::string plain = plainly_folded(name);
    if (is_macos_fork(plain) || (rules == TargetRules::Windows && is_windows_device(plain))) {
        name = shortened_name("_" + name);
    }
    if (rules == TargetRules::Windows) {
        // 0 if the name has no other characters, such as `...`.
        const std::size_t end = name.find_last_not_of(". ") + 1;
        name.replace(end, std::string::npos, name.size() - end, '_');
    }
    return name;
}

} // namespace thru
