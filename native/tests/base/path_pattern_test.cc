#include "base/path_pattern.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace thru {
namespace {

bool matches(std::string_view pattern, std::string_view path) {
    const auto parsed = PathPattern::parse(pattern);
    EXPECT_TRUE(parsed) << pattern;
    return parsed && parsed->matches(path);
}

TEST(PathPattern, AStarStaysInItsComponent) {
    EXPECT_TRUE(matches("*.jpg", "a.jpg"));
    EXPECT_TRUE(matches("photos/*.jpg", "photos/a.jpg"));
    EXPECT_FALSE(matches("photos/*.jpg", "photos/2024/a.jpg"));
    EXPECT_FALSE(matches("*.jpg", "a.jpeg"));
    EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
    EXPECT_FALSE(matches("/a*c", "a/c"));
}

TEST(PathPattern, TwoStarsCrossComponents) {
    EXPECT_TRUE(matches("photos/**/*.jpg", "photos/2024/summer/a.jpg"));
    EXPECT_TRUE(matches("photos/**/*.jpg", "photos/a.jpg"));
    EXPECT_TRUE(matches("**", "any/thing"));
    EXPECT_FALSE(matches("photos/**/*.jpg", "videos/a.jpg"));
}

TEST(PathPattern, FoldersInBetweenAreWholeOnes) {
    EXPECT_TRUE(matches("src/**/test", "src/test"));
    EXPECT_TRUE(matches("src/**/test", "src/a/b/test"));
    EXPECT_FALSE(matches("src/**/test", "src/mytest"));
    EXPECT_FALSE(matches("src/**/test", "src/a/mytest"));
    EXPECT_FALSE(matches("**/test", "mytest"));
    EXPECT_TRUE(matches("**/test", "a/test"));
    EXPECT_TRUE(matches("a/**/**/b", "a/b"));
    EXPECT_TRUE(matches("a/**", "a/b/c"));
    EXPECT_FALSE(matches("a/**", "a"));
    EXPECT_TRUE(matches("/a**b", "a/x/b"));
}

TEST(PathPattern, WithoutASlashItMatchesAtAnyDepth) {
    EXPECT_TRUE(matches("node_modules", "app/node_modules"));
    EXPECT_TRUE(matches("*.tmp", "a/b/c.tmp"));
    EXPECT_FALSE(matches("/node_modules", "app/node_modules"));
}

TEST(PathPattern, AFolderStandsForAllThatIsInIt) {
    EXPECT_TRUE(matches("photos/2024", "photos/2024/summer/a.jpg"));
    EXPECT_TRUE(matches("photos/", "photos/a.jpg"));
    EXPECT_FALSE(matches("photos/2024", "photos/20245/a.jpg"));
    EXPECT_TRUE(matches("node_modules", "app/node_modules/x/y.js"));
}

TEST(PathPattern, QuestionMarksAndSetsTakeOneCharacter) {
    EXPECT_TRUE(matches("/?.txt", "a.txt"));
    EXPECT_TRUE(matches("/?.txt", "\xc3\xa4.txt")) << "of two bytes";
    EXPECT_FALSE(matches("/?.txt", "ab.txt"));
    EXPECT_TRUE(matches("/[a-c]1", "b1"));
    EXPECT_FALSE(matches("/[!a-c]1", "b1"));
    EXPECT_TRUE(matches("/[]]", "]"));
    EXPECT_TRUE(matches("/[\\]]", "]"));
    EXPECT_TRUE(matches("/[a-]", "-"));
    EXPECT_TRUE(matches("/[\u00e0-\u00ff]1", "\u00e41"));
    EXPECT_TRUE(matches("/[!a]1", "\u00e41"));
    EXPECT_FALSE(matches("/[\u00e4]", "\u00a4")) << "its last byte";
    EXPECT_FALSE(matches("/a[!b]c", "a/c"));
    EXPECT_FALSE(matches("/a[/]c", "a/c"));
    EXPECT_TRUE(matches("/\\*", "*"));
    EXPECT_FALSE(matches("/\\*", "a"));
}

TEST(PathPattern, WhatMakesNoSenseIsRefused) {
    for (const auto *text : {"", "/", "//", "[abc", "a[", "[!"}) {
        EXPECT_FALSE(PathPattern::parse(text)) << text;
    }
    EXPECT_FALSE(PathPattern::parse(std::string(PathPattern::kMaxBytes + 1, 'a')));
    EXPECT_FALSE(PathPattern::parse(std::string(PathPattern::kMaxStars + 1, '*')));
    EXPECT_FALSE(parse_patterns(std::vector<std::string>(kMaxPatterns + 1, "a")));
    EXPECT_EQ(PathPattern::parse("[a").error().code, ErrorCode::BadArgument);
}

/// A brute-force reference for PathPattern: `a`, `/`, `*`, `**` and `?` in short texts.
bool matches_slowly(std::string_view pattern, std::string_view path, bool at_start = true) {
    if (pattern.empty()) {
        return path.empty() || path[0] == '/';
    }
    if (at_start && pattern.starts_with("**/")) {
        for (std::size_t cut = 0; cut <= path.size(); ++cut) {
            if ((cut == 0 || path[cut - 1] == '/') &&
                matches_slowly(pattern.substr(3), path.substr(cut))) {
                return true;
            }
        }
        return false;
    }
    if (pattern[0] == '*') {
        const bool deep = pattern.starts_with("**");
        for (std::size_t cut = 0; cut <= path.size(); ++cut) {
            if (matches_slowly(pattern.substr(deep ? 2 : 1), path.substr(cut), false)) {
                return true;
            }
            if (cut < path.size() && path[cut] == '/' && !deep) {
                return false;
            }
        }
        return false;
    }
    const bool fits = !path.empty() && (pattern[0] == '?' ? path[0] != '/' : pattern[0] == path[0]);
    return fits && matches_slowly(pattern.substr(1), path.substr(1), pattern[0] == '/');
}

TEST(PathPattern, AgreesWithTryingEverything) {
    std::mt19937 random(1);
    const auto text = [&random](std::string_view letters, std::size_t most) {
        std::string made;
        for (auto left = 1 + random() % most; left > 0; --left) {
            made += letters[random() % letters.size()];
        }
        return made;
    };
    std::size_t matched = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::string pattern = text("ab/**?", 8) + "a";
        const std::string path = text("aab/", 8);
        const bool expected = matches_slowly(pattern, path);
        ASSERT_EQ(matches("/" + pattern, path), expected) << pattern << " of " << path;
        matched += expected ? 1 : 0;
    }
    EXPECT_GT(matched, 500U) << "too few to show anything";
}

TEST(PathPattern, ManyStarsTakeNoExponentialTime) {
    std::string pattern;
    for (int star = 0; star < 32; ++star) {
        pattern += "*a";
    }
    // Backtracking to every star would take longer than a lifetime.
    EXPECT_FALSE(matches(pattern + "b", std::string(250, 'a')));
    std::string deep = "/";
    for (int star = 0; star < 16; ++star) {
        deep += "**/a";
    }
    std::string path;
    for (int folder = 0; folder < 1000; ++folder) {
        path += "a/";
    }
    EXPECT_FALSE(matches(deep + "/b", path + "a"));
    // The part behind a star is retried at every character.
    const std::string set = "[" + std::string(1500, 'x') + "]";
    EXPECT_FALSE(matches("**" + set + "*/*/*/*" + set + "b", path));
}

TEST(PathPattern, APathWithoutWildcardsMeansItAndWhatIsInIt) {
    EXPECT_TRUE(matches("/photos/a.jpg", "photos/a.jpg"));
    EXPECT_TRUE(matches("/photos", "photos/a.jpg"));
    EXPECT_FALSE(matches("/photos", "photos2/a.jpg"));
    EXPECT_FALSE(matches("/photos/a.jpg", "photos/a.jpg2"));
    EXPECT_TRUE(matches("/a\\*\\[1\\]\\\\.jpg", "a*[1]\\.jpg"));
    EXPECT_FALSE(matches("/a\\*.jpg", "ab.jpg"));
    EXPECT_TRUE(matches("/end\\", "end\\"));
}

} // namespace
} // namespace thru
