#include "base/path_pattern.h"

#include <algorithm>
#include <bit>

namespace thru {

namespace {

bool has_wildcards(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '*' || text[at] == '?' || text[at] == '[') {
            return true;
        }
        at += text[at] == '\\' ? 1 : 0;
    }
    return false;
}

/// A trailing backslash stands for itself.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        at += text[at] == '\\' && at + 1 < text.size() ? 1 : 0;
        plain += text[at];
    }
    return plain;
}

} // namespace

/// The positions in a pattern that a prefix of the path can reach. They are tracked together, so no
/// way through the pattern is tried twice (Thompson's simulation).
class PathPattern::States {
public:
    explicit States(const std::vector<Token> &tokens)
        : tokens_(&tokens), words_(tokens.size() / kBits + 1) {}

    /// Also enters the positions reachable without another character.
    void enter(std::size_t at) {
        for (;; ++at) {
            add(at);
            if (at == tokens_->size() || (*tokens_)[at].kind < Kind::Run) {
                return;
            }
        }
    }
    void add(std::size_t at) { words_[at / kBits] |= std::uint64_t{1} << at % kBits; }
    bool matched() const { return (words_.back() >> tokens_->size() % kBits & 1) != 0; }
    void clear() { std::ranges::fill(words_, 0); }
    /// Returns false if there are no positions.
    template <class Visit> bool visit_tokens(Visit visit) const {
        bool any = false;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
                const std::size_t at =
                    word * kBits + static_cast<std::size_t>(std::countr_zero(bits));
                if (at < tokens_->size()) {
                    visit(at);
                    any = true;
                }
            }
        }
        return any;
    }

private:
    static constexpr std::size_t kBits = 64;
    const std::vector<Token> *tokens_;
    std::vector<std::uint64_t> words_;
};

/// Takes a character off `text`, which is not empty. Bytes outside UTF-8 are characters too.
PathPattern::Character PathPattern::take_character(std::string_view &text) {
    constexpr std::size_t kMaxCharacterBytes = 4;
    Character character = static_cast<unsigned char>(text[0]);
    std::size_t bytes = 1;
    const auto continues = [&] {
        return bytes < std::min(text.size(), kMaxCharacterBytes) &&
               (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80;
    };
    for (; character >= 0x80 && continues(); ++bytes) {
        character = character << 8 | static_cast<unsigned char>(text[bytes]);
    }
    text.remove_prefix(bytes);
    return character;
}

/// Parses the rest of a set, after its opening bracket.
bool PathPattern::add_set(std::string_view &text) {
    const bool negated = text.starts_with('!') || text.starts_with('^');
    text.remove_prefix(negated ? 1 : 0);
    Token token{.kind = negated ? Kind::NotInSet : Kind::Set};
    const auto take_member = [&text] {
        text.remove_prefix(text.starts_with('\\') && text.size() > 1 ? 1 : 0);
        return take_character(text);
    };
    while (!text.empty()) {
        if (text.starts_with(']') && !token.ranges.empty()) {
            text.remove_prefix(1);
            tokens_.push_back(std::move(token));
            return true;
        }
        const Character first = take_member();
        Character last = first;
        if (text.size() > 1 && text[0] == '-' && text[1] != ']') {
            text.remove_prefix(1);
            last = take_member();
        }
        token.ranges.push_back({.first = first, .last = last});
    }
    return false;
}

bool PathPattern::add_token(std::string_view &text) {
    const bool begins_component =
        tokens_.empty() || tokens_.back().kind == Kind::Folders || fits(tokens_.back(), '/');
    const auto take = [&text](std::string_view what) {
        const bool there = text.starts_with(what);
        text.remove_prefix(there ? what.size() : 0);
        return there;
    };
    // Repeating the same kind adds nothing, so repetitions are collapsed.
    const auto add_once = [this](Kind kind) {
        if (tokens_.empty() || tokens_.back().kind != kind) {
            tokens_.push_back({.kind = kind});
        }
        return true;
    };
    if (begins_component && take("**/")) {
        return add_once(Kind::Folders);
    }
    if (take("**")) {
        return add_once(Kind::DeepRun);
    }
    if (take("*")) {
        return add_once(Kind::Run);
    }
    if (take("?")) {
        tokens_.push_back({.kind = Kind::Any});
        return true;
    }
    if (take("[")) {
        return add_set(text);
    }
    text.remove_prefix(text.starts_with('\\') && text.size() > 1 ? 1 : 0);
    const Character character = take_character(text);
    tokens_.push_back({.kind = Kind::One, .ranges = {{.first = character, .last = character}}});
    return true;
}

/// True if a token that stands for one character matches `character`.
bool PathPattern::fits(const Token &token, Character character) {
    const bool in_ranges = std::ranges::any_of(token.ranges, [character](const Range &range) {
        return range.first <= character && character <= range.last;
    });
    switch (token.kind) {
    case Kind::One:
        return in_ranges;
    case Kind::Any:
        return character != '/';
    case Kind::Set:
        return in_ranges && character != '/';
    case Kind::NotInSet:
        return !in_ranges && character != '/';
    case Kind::Run:
    case Kind::DeepRun:
    case Kind::Folders:
        break;
    }
    return false;
}

Result<PathPattern> PathPattern::parse(std::string_view text) {
    const auto refuse = [text] {
        return fail(ErrorCode::BadArgument, 0,
                    "not a pattern: " + std::string(text.substr(0, 200)));
    };
    std::string_view rest = text;
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    if (rest.empty() || rest.size() > kMaxBytes ||
        static_cast<std::size_t>(std::ranges::count(rest, '*')) > kMaxStars) {
        return refuse();
    }
    PathPattern pattern;
    const bool whole = rest.contains('/');
    if (!whole) {
        pattern.tokens_.push_back({.kind = Kind::Folders});
    }
    rest.remove_prefix(rest.starts_with('/') ? 1 : 0);
    if (whole && !has_wildcards(rest)) {
        pattern.whole_ = unescaped(rest);
    }
    while (!rest.empty()) {
        if (!pattern.add_token(rest)) {
            return refuse();
        }
    }
    return pattern;
}

bool PathPattern::matches(std::string_view path) const {
    return matches(path, Extent::OrFolderAbove);
}

bool PathPattern::matches_itself(std::string_view path) const {
    return matches(path, Extent::Itself);
}

bool PathPattern::matches(std::string_view path, Extent extent) const {
    const bool folders = extent == Extent::OrFolderAbove;
    if (whole_) {
        return path.starts_with(*whole_) &&
               (path.size() == whole_->size() || (folders && path[whole_->size()] == '/'));
    }
    States now(tokens_);
    States next(tokens_);
    now.enter(0);
    for (;;) {
        if (now.matched() && (path.empty() || (folders && path.starts_with('/')))) {
            return true;
        }
        if (path.empty()) {
            return false;
        }
        const Character character = take_character(path);
        next.clear();
        const bool goes_on = now.visit_tokens([&](std::size_t at) {
            switch (tokens_[at].kind) {
            case Kind::Run:
                if (character != '/') {
                    next.enter(at);
                }
                break;
            case Kind::DeepRun:
                next.enter(at);
                break;
            case Kind::Folders:
                if (character == '/') {
                    next.enter(at);
                } else {
                    next.add(at);
                }
                break;
            default:
                if (fits(tokens_[at], character)) {
                    next.enter(at + 1);
                }
            }
        });
        if (!goes_on) {
            return false;
        }
        std::swap(now, next);
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
