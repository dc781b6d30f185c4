// Patterns for paths, as people write them in shells and ignore files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace thru {

/// A pattern matches a path or any folder above it: choosing a folder chooses its contents. `*` and
/// `?` stay within a component, and `**` crosses components. `**/` is any number of folders,
/// including none. `[a-z]` and `[!a]` are sets, and `\` makes the next character literal. A pattern
/// without `/` in its middle or at its start matches a component at any depth; any other pattern
/// matches the whole path. Matching takes time linear in pattern times path.
class PathPattern {
public:
    /// BadArgument: empty, too long (kMaxBytes), too many `*` (kMaxStars), or an unclosed set.
    static Result<PathPattern> parse(std::string_view text);
    bool matches(std::string_view path) const;
    /// Like matches, but ignores the folders above the path.
    bool matches_itself(std::string_view path) const;

    static constexpr std::size_t kMaxBytes = 4096;
    static constexpr std::size_t kMaxStars = 64;

private:
    /// One character's UTF-8 bytes, the first most significant; sorts in Unicode order.
    using Character = std::uint32_t;
    struct Range {
        Character first;
        Character last;
    };
    enum class Kind : std::uint8_t {
        One,
        Any,
        Set,
        NotInSet,
        /// `*`
        Run,
        /// `**`
        DeepRun,
        /// `**/` at the start of a component: any number of whole folders.
        Folders,
    };
    struct Token {
        Kind kind;
        /// The character for One; the members of a set.
        std::vector<Range> ranges = {};
    };
    class States;
    enum class Extent : std::uint8_t { Itself, OrFolderAbove };

    static Character take_character(std::string_view &text);
    bool add_set(std::string_view &text);
    bool add_token(std::string_view &text);
    static bool fits(const Token &token, Character character);
    bool matches(std::string_view path, Extent extent) const;

    std::vector<Token> tokens_;
    /// The named path, if the pattern is a whole path without wildcards. Lists select rows by such
    /// patterns, and a million paths may be compared with them.
    std::optional<std::string> whole_;
};

/// Maximum number of patterns in one list.
inline constexpr std::size_t kMaxPatterns = 1000;

/// BadArgument: a pattern that PathPattern::parse refuses, or too many patterns.
Result<std::vector<PathPattern>> parse_patterns(const std::vector<std::string> &texts);
bool matches_any(const std::vector<PathPattern> &patterns, std::string_view path);

} // namespace thru
