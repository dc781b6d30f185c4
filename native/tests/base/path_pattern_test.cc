#include "base/path_pattern.h"

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

TEST(PathPattern, ManyStarsTakeNoExponentialTime) {
    std::string pattern;
    for (int star = 0; star < 32; ++star) {
        pattern += "*a";
    }
    // With backtracking to every star this would not end in a lifetime.
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
}

} // namespace
} // namespace thru
