#include "io/safe_rel_path.h"

#include <algorithm>
#include <array>

#include "io/code_points.h"
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

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 0x20 : c; }

/// As a file system may compare: case folded, full-width forms as their plain ones (NFKC).
char32_t folded(char32_t c) {
    constexpr char32_t kFullWidthFirst = 0xFF01;
    constexpr char32_t kFullWidthLast = 0xFF5E;
    constexpr char32_t kPlainFirst = 0x21;
    return lower(c >= kFullWidthFirst && c <= kFullWidthLast ? c - kFullWidthFirst + kPlainFirst
                                                             : c);
}

/// Checks the characters; `plain` becomes the folded name with a mark that equals nothing for
/// every character beyond ASCII.
Refusal inspect(std::string_view name, std::string &plain) {
    constexpr char kNotAscii = '\x7F';
    while (!name.empty()) {
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
        const char32_t compared = folded(*c);
        plain += compared < 0x7F ? static_cast<char>(compared) : kNotAscii;
    }
    return nullptr;
}

/// Windows looks at what stands before the first dot, without trailing spaces.
bool is_windows_device(std::string_view name, std::string_view plain) {
    const std::string_view base = plain.substr(0, plain.find('.'));
    const std::size_t end = base.find_last_not_of(' ');
    const std::string_view stem = base.substr(0, end == std::string_view::npos ? 0 : end + 1);
    constexpr std::array<std::string_view, 7> kDevices = {"con",    "prn",     "aux",   "nul",
                                                          "conin$", "conout$", "clock$"};
    if (std::ranges::find(kDevices, stem) != kDevices.end()) {
        return true;
    }
    if (!stem.starts_with("com") && !stem.starts_with("lpt")) {
        return false;
    }
    const bool digit = stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9';
    // Superscript 1, 2 and 3 count as digits there.
    const std::string_view number = name.substr(3);
    const bool superscript =
        stem.size() == 4 && (number.starts_with("\u00B9") || number.starts_with("\u00B2") ||
                             number.starts_with("\u00B3"));
    return digit || superscript;
}

Refusal refused_on_windows(std::string_view name, std::string_view plain) {
    if (name.find_first_of("<>:\"|?*") != std::string_view::npos) {
        return "character that Windows does not allow";
    }
    if (name.ends_with('.') || name.ends_with(' ')) {
        return "dot or space at the end";
    }
    if (is_windows_device(name, plain)) {
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
    std::string plain;
    if (const Refusal refusal = inspect(name, plain)) {
        return refusal;
    }
    if (plain.starts_with(kPartPrefix)) {
        return "name of a part file";
    }
    // `file/..namedfork/rsrc` is the resource fork of `file`.
    if (rules == TargetRules::Macos && plain == "..namedfork") {
        return "name of a file fork";
    }
    return rules == TargetRules::Windows ? refused_on_windows(name, plain) : nullptr;
}

Refusal refused(std::string_view path, TargetRules rules) {
    if (path.size() > kMaxPathBytes) {
        return "path too long";
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

} // namespace

Result<SafeRelPath> SafeRelPath::parse(std::string_view path, TargetRules rules) {
    if (const Refusal refusal = refused(path, rules)) {
        return fail(ErrorCode::NameNotAllowed, 0, refusal);
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

} // namespace thru
