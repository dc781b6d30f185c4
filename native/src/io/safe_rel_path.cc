#include "io/safe_rel_path.h"

#include <algorithm>
#include <array>

#include "io/code_points.h"
#include "io/numbered_name.h"
#include "wire/manifest.h"

namespace thru {

namespace {

/// Why a name is refused; nullptr when it is not.
using Refusal = const char *;

bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

/// Zero-width space, byte order mark, bidirectional embeddings, overrides and isolates: with them a
/// name can look like another name or hide its extension. Joiners stay, emoji and scripts need
/// them.
bool is_deceptive(char32_t c) {
    return c == 0x200B || c == 0xFEFF || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F; }

Refusal refused_character(std::string_view name) {
    while (!name.empty()) {
        if (is_plain_ascii(name[0]) && name[0] != '\\') {
            name.remove_prefix(1);
            continue;
        }
        const auto c = take_code_point(name);
        if (!c) {
            return "not UTF-8";
        }
        if (is_control(*c)) {
            return "control character";
        }
        if (is_deceptive(*c)) {
            return "invisible or direction-changing character";
        }
        if (*c == U'\\') {
            return "backslash";
        }
    }
    return nullptr;
}

constexpr std::string_view kNotOnWindows = "<>:\"|?*";

/// Windows looks at what stands before the first dot, without trailing spaces; superscript 1, 2 and
/// 3 are digits to it.
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

/// `file/..namedfork/rsrc` is the resource fork of `file`. Refused on Windows, too: what goes there
/// goes everywhere.
bool is_macos_fork(std::string_view plain) { return plain == "..namedfork"; }

Refusal refused_on_windows(std::string_view name, std::string_view plain) {
    if (name.find_first_of(kNotOnWindows) != std::string_view::npos) {
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

Refusal refused_component(std::string_view name, TargetRules rules) {
    if (name.empty()) {
        return "empty name";
    }
    if (name == "." || name == "..") {
        return "dot name";
    }
    // Bytes: never more UTF-16 units than that, which is what Windows and macOS count.
    if (name.size() > kMaxComponentBytes) {
        return "name too long";
    }
    if (const Refusal refusal = refused_character(name)) {
        return refusal;
    }
    if (rules != TargetRules::Windows && is_plain_ascii(name[0]) && name[0] != '.') {
        return nullptr; // the names below begin with a dot, or look as if they did
    }
    const std::string plain = plainly_folded(name);
    if (plain.starts_with(kPartPrefix)) {
        return "name of a part file";
    }
    if (rules != TargetRules::Posix && is_macos_fork(plain)) {
        return "name of a file fork";
    }
    return rules == TargetRules::Windows ? refused_on_windows(name, plain) : nullptr;
}

Refusal refused(std::string_view path, TargetRules rules) {
    if (path.size() > kMaxPathBytes) {
        return "path too long";
    }
    // Also elsewhere: `C:x` is a file's name to nobody but is a path to some.
    if (path.size() >= 2 && path[1] == ':' && is_letter(path[0])) {
        return "drive letter";
    }
    for (std::size_t depth = 1;; ++depth) {
        if (depth > kMaxPathDepth) {
            return "too many folders deep";
        }
        const std::size_t slash = path.find('/');
        if (const Refusal refusal = refused_component(path.substr(0, slash), rules)) {
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

Result<> check_path(std::string_view path, TargetRules rules) {
    return to_result(refused(path, rules));
}

Result<> check_component(std::string_view name, TargetRules rules) {
    return to_result(refused_component(name, rules));
}

Result<SafeRelPath> SafeRelPath::parse(std::string_view path, TargetRules rules) {
    if (const auto allowed = check_path(path, rules); !allowed) {
        return std::unexpected(allowed.error());
    }
    return SafeRelPath(std::string(path));
}

std::vector<std::string_view> SafeRelPath::components() const {
    std::vector<std::string_view> parts;
    std::string_view rest = text_;
    for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
         slash = rest.find('/')) {
        parts.push_back(rest.substr(0, slash));
        rest.remove_prefix(slash + 1);
    }
    parts.push_back(rest);
    return parts;
}

std::string_view SafeRelPath::folder() const {
    const std::size_t slash = text_.rfind('/');
    return slash == std::string::npos ? std::string_view{}
                                      : std::string_view(text_).substr(0, slash);
}

std::string_view SafeRelPath::name() const {
    return std::string_view(text_).substr(text_.rfind('/') + 1);
}

std::string nearest_name(std::string_view component, TargetRules rules) {
    std::string name(component);
    if (rules == TargetRules::Posix) {
        return name;
    }
    if (rules == TargetRules::Windows) {
        std::ranges::replace_if(
            name, [](char c) { return kNotOnWindows.contains(c); }, '_');
    }
    const std::string plain = plainly_folded(name);
    if (is_macos_fork(plain) || (rules == TargetRules::Windows && is_windows_device(plain))) {
        name = shortened_name("_" + name);
    }
    if (rules == TargetRules::Windows) {
        // None at all of `...`: then all are at the end.
        const std::size_t kept = name.find_last_not_of(". ") + 1;
        name.replace(kept, std::string::npos, name.size() - kept, '_');
    }
    return name;
}

} // namespace thru
