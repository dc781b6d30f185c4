#include "source/ignore_file.h"

#include <string>

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr bool kFolder = true;

bool leaves_out(const IgnoreFile &rules, std::string_view path, bool is_folder = false) {
    return rules.leaves_out(path, is_folder).value_or(false);
}

TEST(IgnoreFile, LeavesOutNamesAtAnyDepthAndPathsFromItsFolder) {
    const IgnoreFile rules("*.log\n/build\ndocs/*.pdf\n**/cache/tmp\n");
    EXPECT_TRUE(leaves_out(rules, "a.log"));
    EXPECT_TRUE(leaves_out(rules, "deep/down/a.log"));
    EXPECT_TRUE(leaves_out(rules, "build"));
    EXPECT_FALSE(leaves_out(rules, "src/build"));
    EXPECT_TRUE(leaves_out(rules, "docs/a.pdf"));
    EXPECT_FALSE(leaves_out(rules, "docs/more/a.pdf"));
    EXPECT_TRUE(leaves_out(rules, "x/cache/tmp"));
    EXPECT_EQ(rules.leaves_out("a.txt", false), std::nullopt);
}

TEST(IgnoreFile, LeavesOutFoldersOnlyWithASlashAtTheEnd) {
    const IgnoreFile rules("node_modules/\nout/bin/\n");
    EXPECT_TRUE(leaves_out(rules, "web/node_modules", kFolder));
    EXPECT_FALSE(leaves_out(rules, "node_modules"));
    EXPECT_TRUE(leaves_out(rules, "out/bin", kFolder));
    EXPECT_FALSE(leaves_out(rules, "x/out/bin", kFolder));
}

TEST(IgnoreFile, TheLastRuleDecidesAndMayTakeBack) {
    const IgnoreFile rules("*.log\n!keep.log\n!logs\n");
    EXPECT_TRUE(leaves_out(rules, "a.log"));
    EXPECT_EQ(rules.leaves_out("b/keep.log", false), false);
    EXPECT_TRUE(leaves_out(rules, "logs/a.log")) << "only the folder itself is taken back";
    EXPECT_TRUE(leaves_out(IgnoreFile("!keep.log\n*.log"), "keep.log"));
}

TEST(IgnoreFile, SkipsCommentsEmptyLinesAndWhatIsNoPattern) {
    const IgnoreFile rules(
        "\xEF\xBB\xBF# note\n\n   \n[open\n/\n!\n\\#hash\r\n\\!bang\nsp \\ \nlast  ");
    EXPECT_TRUE(leaves_out(rules, "#hash"));
    EXPECT_TRUE(leaves_out(rules, "!bang"));
    EXPECT_TRUE(leaves_out(rules, "sp  "));
    EXPECT_TRUE(leaves_out(rules, "last"));
    EXPECT_FALSE(leaves_out(rules, "# note"));
    EXPECT_FALSE(leaves_out(rules, "[open"));
}

TEST(IgnoreFile, HasSoManyRules) {
    std::string text;
    for (std::size_t line = 0; line < kMaxPatterns; ++line) {
        text += "x\n";
    }
    EXPECT_FALSE(leaves_out(IgnoreFile(text + "y\n"), "y"));
    EXPECT_TRUE(leaves_out(IgnoreFile(text), "x"));
}

} // namespace
} // namespace thru
