// Which paths are meant: patterns as people write them in shells and ignore files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace thru {

/// A pattern matches a path, or any folder above it: choosing a folder chooses what is in it. `*`
/// and
/// `?` stay within a component, `**` crosses them, `**/` is any number of folders or none, `[a-z]`
/// and
/// `[!a]` are sets, `\` takes the next
/// character as it is. A pattern without `/` in its middle matches a component at any depth; one
/// with it, or with `/` at its start, the whole path. Linear in pattern times path, whatever they
/// are.
class PathPattern {
public:
    /// BadArgument: empty, longer than kMaxBytes, more than kMaxStars wildcards, an open set.
    static Result<PathPattern> parse(std::string_view text);
    bool matches(std::string_view path) const;
    /// As matches, but for the path alone: a folder above it does not count.
    bool matches_itself(std::string_view path) const;

    static constexpr std::size_t kMaxBytes = 4096;
    static constexpr std::size_t kMaxStars = 64;

private:
    /// One character as its UTF-8 bytes, the first the most significant: in the order of Unicode.
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
        /// `**/` where a component begins: any number of whole folders.
        Folders,
    };
    struct Token {
        Kind kind;
        /// One: the character. Sets: one of these.
        std::vector<Range> ranges = {};
    };
    class States;
    enum class Extent : std::uint8_t { Itself, OrFolderAbove };

    static Character take_character(std::string_view &text);
    /// False for an open set.
    bool add_set(std::string_view &text);
    bool add_token(std::string_view &text);
    static bool fits(const Token &token, Character character);
    bool matches(std::string_view path, Extent extent) const;

    std::vector<Token> tokens_;
    /// The path that it names, when it is a whole one without wildcards: rows of a list are chosen
    /// by such patterns, and a million paths are compared with them.
    std::optional<std::string> whole_;
};

/// Most patterns of one list.
inline constexpr std::size_t kMaxPatterns = 1000;

/// BadArgument as PathPattern::parse, or when there are too many.
Result<std::vector<PathPattern>> parse_patterns(const std::vector<std::string> &texts);
bool matches_any(const std::vector<PathPattern> &patterns, std::string_view path);

} // namespace thru
