#include <gtest/gtest.h>

#include "base/utf8.h"
#include "io/code_points.h"
#include "io/numbered_name.h"

namespace thru {
namespace {

TEST(CodePoints, AreTakenOneByOne) {
    std::string_view text = "a\u00e9\u20ac\U0001F600";
    EXPECT_EQ(take_code_point(text), U'a');
    EXPECT_EQ(take_code_point(text), U'\u00e9');
    EXPECT_EQ(take_code_point(text), U'\u20ac');
    EXPECT_EQ(take_code_point(text), U'\U0001F600');
    EXPECT_EQ(take_code_point(text), std::nullopt);
}

TEST(CodePoints, AgreeWithTheCheckOfWholeTexts) {
    // Every sequence of up to three bytes out of those where the rules change.
    const std::string edges = "\x01\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xed\xef\xf0\xf4"
                              "\xf5\xff";
    for (const char a : edges) {
        for (const char b : edges) {
            for (const char c : edges) {
                for (const char d : {'x', '\x80', '\xbf'}) {
                    const std::string text{a, b, c, d};
                    std::string_view rest = text;
                    while (take_code_point(rest)) {
                    }
                    ASSERT_EQ(rest.empty(), is_utf8(text)) << printable(text);
                }
            }
        }
    }
}

TEST(Folded, IsOneForNamesThatASystemMayTakeForOne) {
    EXPECT_EQ(folded("ReadMe"), folded("README"));
    EXPECT_EQ(folded("\u00DF"), folded("SS"));
    EXPECT_EQ(folded("\u0130"), folded("i\u0307"));
    EXPECT_EQ(folded("\u00E9"), folded("E\u0301"));
    EXPECT_EQ(folded("\u03C3"), folded("\u03C2"));
    EXPECT_EQ(folded("a\u200Db"), folded("ab"));
    EXPECT_NE(folded("\u0440"), folded("p"));
    EXPECT_NE(folded("\uFF41"), folded("a"));
    EXPECT_EQ(plainly_folded("\uFF21\u00B9"), "a1");
}

TEST(ShortenedName, KeepsWhatFitsAndTheExtensionOfWhatDoesNot) {
    EXPECT_EQ(shortened_name(std::string(255, 'n')), std::string(255, 'n'));
    EXPECT_EQ(shortened_name(std::string(300, 'n') + ".txt"), std::string(251, 'n') + ".txt");
    EXPECT_EQ(shortened_name(std::string(254, 'n') + "\u00E9"), std::string(254, 'n'));
}

TEST(Printable, ShowsTextAsItIsAndBytesAsHex) {
    EXPECT_EQ(printable("caf\u00e9"), "caf\u00e9");
    EXPECT_EQ(printable("a\xff\xfe"
                        "b"),
              "a\\xff\\xfeb");
    EXPECT_EQ(printable("x\x1b[2J"), "x\\x1b[2J");
    EXPECT_EQ(printable("\u0085"), "\\xc2\\x85");
}

TEST(NumberedName, StandsBeforeTheExtensionOfAFile) {
    EXPECT_EQ(numbered_name("photo.jpg", EntryKind::File, 2), "photo (2).jpg");
    EXPECT_EQ(numbered_name("notes", EntryKind::File, 3), "notes (3)");
    EXPECT_EQ(numbered_name("a.tar.gz", EntryKind::File, 2), "a.tar (2).gz");
    EXPECT_EQ(numbered_name(".bashrc", EntryKind::File, 2), ".bashrc (2)");
    EXPECT_EQ(numbered_name("end.", EntryKind::File, 2), "end. (2)");
    EXPECT_EQ(numbered_name("Version 1.2 of my notes", EntryKind::File, 2),
              "Version 1.2 of my notes (2)");
    EXPECT_EQ(numbered_name("photos.2024", EntryKind::Folder, 2), "photos.2024 (2)");
}

TEST(NumberedName, NeverGetsTooLongNorCutsACharacter) {
    std::string name;
    while (name.size() < 255) {
        name += "\u6f22";
    }
    const std::string numbered = numbered_name(name.substr(0, 249) + ".jpg", EntryKind::File, 1234);
    EXPECT_LE(numbered.size(), 255u);
    EXPECT_TRUE(is_utf8(numbered));
    EXPECT_TRUE(numbered.ends_with(" (1234).jpg"));
}

} // namespace
} // namespace thru
