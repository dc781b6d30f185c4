#include <gtest/gtest.h>

#include "base/utf8.h"
#include "names/code_points.h"
#include "names/numbered_name.h"
#include "names/safe_rel_path.h"
#include "support/vectors.h"

namespace thru {
namespace {

std::string utf8_of(char32_t c) {
    const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
    const auto tail = [&](unsigned shift) { return byte(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x80) {
        return {byte(c)};
    }
    if (c < 0x800) {
        return {byte(0xC0 | c >> 6), tail(0)};
    }
    if (c < 0x10000) {
        return {byte(0xE0 | c >> 12), tail(6), tail(0)};
    }
    return {byte(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
}

TEST(CodePoints, AreTakenOneByOne) {
    std::string_view text = "a\u00e9\u20ac\U0001F600";
    EXPECT_EQ(take_code_point(text), U'a');
    EXPECT_EQ(take_code_point(text), U'\u00e9');
    EXPECT_EQ(take_code_point(text), U'\u20ac');
    EXPECT_EQ(take_code_point(text), U'\U0001F600');
    EXPECT_EQ(take_code_point(text), std::nullopt);
}

TEST(CodePoints, AgreeWithTheCheckOfWholeTexts) {
    // Checks every sequence of up to three bytes from those where the rules change.
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
                    ASSERT_EQ(rest.empty(), is_utf8(text)) << percent_form(text);
                }
            }
        }
    }
}

TEST(Folded, IsTheSameForWhatAFileSystemTakesForOne) {
    EXPECT_EQ(folded("README"), "readme");
    EXPECT_EQ(folded("\u00c9"), folded("e\u0301"));
    EXPECT_EQ(folded("STRASSE"), folded("stra\u00dfe"));
    EXPECT_EQ(folded("\u0130"), folded("i\u0307"));
    EXPECT_EQ(folded("\u03a3"), folded("\u03c2"));
    EXPECT_EQ(folded("\u1112\u1161\u11ab"), folded("\ud55c"));
    EXPECT_EQ(folded("a\u200db"), folded("ab")) << "HFS+ does not see it";
    // The iota subscript follows the accent in canonical order, and its folded form is a letter.
    EXPECT_EQ(folded("\u03b1\u0345\u0301"), folded("\u1fb4"));
    EXPECT_NE(folded("\uff21"), folded("a"));
    EXPECT_NE(folded("\u0440"), folded("p")) << "only looks like it";
    EXPECT_EQ(plainly_folded("\uff21"), "a");
    EXPECT_EQ(plainly_folded("COM\u00b9"), "com1");
    EXPECT_EQ(folded(""), "");
}

TEST(Folded, IsFoldedAlready) {
    for (char32_t c = 1; c < 0x30000; ++c) {
        if (c < 0xD800 || c > 0xDFFF) {
            const std::string once = folded(utf8_of(c));
            ASSERT_EQ(folded(once), once) << std::hex << static_cast<unsigned>(c);
        }
    }
}

TEST(WholeCharacters, AreNotCut) {
    EXPECT_EQ(whole_characters("a\u20ac", 4), "a\u20ac");
    EXPECT_EQ(whole_characters("a\u20ac", 3), "a");
    EXPECT_EQ(whole_characters("a\u20ac", 2), "a");
    EXPECT_EQ(whole_characters("\u20ac", 0), "");
}

TEST(ShortenedName, KeepsWhatFitsAndTheExtensionOfWhatDoesNot) {
    EXPECT_EQ(shortened_name(std::string(255, 'n')), std::string(255, 'n'));
    EXPECT_EQ(shortened_name(std::string(300, 'n') + ".txt"), std::string(251, 'n') + ".txt");
    EXPECT_EQ(shortened_name(std::string(254, 'n') + "\u00E9"), std::string(254, 'n'));
}

TEST(PercentForm, ShowsTextAsItIsAndBytesThatNobodySeesAsHex) {
    for (const test::Json &vector : test::read_vectors("names")) {
        const Bytes bytes = test::bytes_of(vector);
        const std::string_view name = as_text(bytes);
        const std::string written = vector["written"];
        EXPECT_EQ(percent_form(name), written) << vector["name"];
        EXPECT_EQ(nearest_name(name, TargetRules::Posix), written) << vector["name"];
        EXPECT_TRUE(SafeRelPath::parse(written, TargetRules::Posix)) << vector["name"];
        EXPECT_EQ(is_peer_name(name), name == written) << vector["name"];
    }
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
