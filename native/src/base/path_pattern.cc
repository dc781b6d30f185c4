#include "base/path_pattern.h"

#include <algorithm>

namespace thru {

namespace {

/// `[...]` at `at`, which stands on the bracket: where it ends, and whether it has `c`. npos when
/// open.
struct Set {
    std::size_t end = std::string_view::npos;
    bool has = false;
};

Set read_set(std::string_view pattern, std::size_t at, char c) {
    Set set;
    std::size_t next = at + 1;
    const bool negated = next < pattern.size() && (pattern[next] == '!' || pattern[next] == '^');
    next += negated ? 1 : 0;
    for (const std::size_t first = next; next < pattern.size(); ++next) {
        if (pattern[next] == ']' && next > first) {
            set.end = next + 1;
            set.has = set.has != negated;
            return set;
        }
        const char low = pattern[next];
        char high = low;
        if (next + 2 < pattern.size() && pattern[next + 1] == '-' && pattern[next + 2] != ']') {
            high = pattern[next + 2];
            next += 2;
        }
        set.has = set.has || (low <= c && c <= high);
    }
    return {};
}

/// Bytes of the character that begins at `at`: `?` and `*` never cut one.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
        ++end;
    }
    return end - at;
}

/// Where the pattern goes on after one step that matched `text` at `at`; npos when it didn't match.
struct Step {
    std::size_t pattern = std::string_view::npos;
    std::size_t text = 0;
};

Step match_one(std::string_view pattern, std::size_t in_pattern, std::string_view text,
               std::size_t in_text) {
    const char wanted = pattern[in_pattern];
    const char c = text[in_text];
    if (wanted == '?') {
        return c == '/' ? Step{} : Step{in_pattern + 1, in_text + character_bytes(text, in_text)};
    }
    if (wanted == '[') {
        const Set set = read_set(pattern, in_pattern, c);
        return set.has && c != '/' ? Step{set.end, in_text + 1} : Step{};
    }
    const bool quoted = wanted == '\\' && in_pattern + 1 < pattern.size();
    const std::size_t literal = in_pattern + (quoted ? 1 : 0);
    return pattern[literal] == c ? Step{literal + 1, in_text + 1} : Step{};
}

/// True when the pattern matches `text` up to its end, or up to a '/' in it. Two places to go back
/// to, one for the last `*` and one for the last `**`, are enough: what an earlier star could still
/// take, the later one can, too. So it takes at most pattern times text steps.
bool matches_from(std::string_view pattern, std::string_view text) {
    struct Retry {
        std::size_t pattern = std::string_view::npos;
        std::size_t text = 0;
    };
    Retry star;
    Retry deep;
    std::size_t p = 0;
    std::size_t t = 0;
    for (;;) {
        if (p == pattern.size() && (t == text.size() || text[t] == '/')) {
            return true;
        }
        if (p < pattern.size() && pattern[p] == '*') {
            const bool crosses = p + 1 < pattern.size() && pattern[p + 1] == '*';
            p += crosses ? 2 : 1;
            // `**/` matches no folder at all, too.
            p += crosses && p < pattern.size() && pattern[p] == '/' ? 1 : 0;
            (crosses ? deep : star) = {.pattern = p, .text = t};
            star = crosses ? Retry{} : star;
            continue;
        }
        const Step step =
            p < pattern.size() && t < text.size() ? match_one(pattern, p, text, t) : Step{};
        if (step.pattern != std::string_view::npos) {
            p = step.pattern;
            t = step.text;
        } else if (star.pattern != std::string_view::npos && star.text < text.size() &&
                   text[star.text] != '/') {
            star.text += character_bytes(text, star.text);
            p = star.pattern;
            t = star.text;
        } else if (deep.pattern != std::string_view::npos && deep.text < text.size()) {
            star = {};
            deep.text += character_bytes(text, deep.text);
            p = deep.pattern;
            t = deep.text;
        } else {
            return false;
        }
    }
}

bool sets_are_closed(std::string_view pattern) {
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] == '\\') {
            ++at;
        } else if (pattern[at] == '[') {
            const auto end = read_set(pattern, at, '\0').end;
            if (end == std::string_view::npos) {
                return false;
            }
            at = end - 1;
        }
    }
    return true;
}

} // namespace

PathPattern::PathPattern(std::string text, bool anchored)
    : text_(std::move(text)), anchored_(anchored) {}

Result<PathPattern> PathPattern::parse(std::string_view text) {
    std::string_view pattern = text;
    while (pattern.ends_with('/')) {
        pattern.remove_suffix(1);
    }
    bool anchored = pattern.contains('/');
    if (pattern.starts_with('/')) {
        pattern.remove_prefix(1);
    }
    const auto stars = static_cast<std::size_t>(std::ranges::count(pattern, '*'));
    if (pattern.empty() || pattern.size() > kMaxBytes || stars > kMaxStars ||
        !sets_are_closed(pattern)) {
        return fail(ErrorCode::BadArgument, 0,
                    "not a pattern: " + std::string(text.substr(0, 200)));
    }
    return PathPattern(std::string(pattern), anchored);
}

bool PathPattern::matches(std::string_view path) const {
    if (anchored_) {
        return matches_from(text_, path);
    }
    for (;;) {
        if (matches_from(text_, path)) {
            return true;
        }
        const auto slash = path.find('/');
        if (slash == std::string_view::npos) {
            return false;
        }
        path.remove_prefix(slash + 1);
    }
}

Result<std::vector<PathPattern>> parse_patterns(const std::vector<std::string> &texts) {
    if (texts.size() > kMaxPatterns) {
        return fail(ErrorCode::BadArgument, 0, "too many patterns");
    }
    std::vector<PathPattern> patterns;
    for (const auto &text : texts) {
        auto pattern = PathPattern::parse(text);
        if (!pattern) {
            return std::unexpected(pattern.error());
        }
        patterns.push_back(std::move(*pattern));
    }
    return patterns;
}

bool matches_any(const std::vector<PathPattern> &patterns, std::string_view path) {
    return std::ranges::any_of(patterns,
                               [path](const PathPattern &each) { return each.matches(path); });
}

} // namespace thru
