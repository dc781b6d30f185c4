#include "base/utf8.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

using namespace std::string_view_literals;

TEST(Utf8, AcceptsEveryWellFormedCharacterAtTheEdges) {
    for (const auto text : {""sv, "a"sv, "\0"sv, "\x7f"sv, "\u0080"sv, "\u07ff"sv, "\u0800"sv,
                            "\ud7ff"sv, "\ue000"sv, "\uffff"sv, "\U00010000"sv, "\U0010ffff"sv,
                            "exactly8"sv, "exactly8 and a bit more \u00e9 then ascii again"sv}) {
        EXPECT_TRUE(is_utf8(text)) << text;
    }
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
    for (const auto text :
         {"\x80"sv, "\xbf"sv, "\xc0\xaf"sv, "\xc1\xbf"sv, "\xc2"sv, "\xc2\x41"sv, "\xe0\x80\xaf"sv,
          "\xe0\x9f\xbf"sv, "\xe2\x82"sv, "\xed\xa0\x80"sv, "\xed\xbf\xbf"sv, "\xf0\x80\x80\x80"sv,
          "\xf0\x8f\xbf\xbf"sv, "\xf0\x9f\x98"sv, "\xf4\x90\x80\x80"sv, "\xf5\x80\x80\x80"sv,
          "\xff"sv, "eight ok\xff"sv, "eight ok and more\xc3"sv}) {
        EXPECT_FALSE(is_utf8(text));
    }
}

TEST(Utf8, FindsABadByteAtEveryPositionOfALongText) {
    const std::string good(40, 'x');
    for (std::size_t position = 0; position < good.size(); ++position) {
        auto text = good;
        text[position] = '\xff';
        EXPECT_FALSE(is_utf8(text)) << position;
    }
}

TEST(PeerName, MayBeAnyTextThatPeopleSee) {
    EXPECT_TRUE(is_peer_name(""));
    EXPECT_TRUE(is_peer_name("Grüße aus 東京 👩‍💻"));
    EXPECT_TRUE(is_peer_name(std::string(64, 'x')));
    EXPECT_FALSE(is_peer_name(std::string(65, 'x')));
    for (const auto name :
         {"a\nb"sv, "a\0b"sv, "\x1b[2J"sv, "\x7f"sv, "\u0080"sv, "\u009f"sv, "\xff"sv}) {
        EXPECT_FALSE(is_peer_name(name));
    }
    EXPECT_TRUE(is_peer_name("\u00a0"));
}

TEST(PeerName, HasNothingThatHidesOrTurnsWhatStandsBesideIt) {
    EXPECT_FALSE(is_peer_name("Bea\u202Enim"));
    EXPECT_EQ(to_peer_name("Bea\u202E\u2066 (you)\u200B"), "Bea (you)");
    EXPECT_EQ(to_peer_name("Bea\u200D"), "Bea");
    EXPECT_EQ(to_peer_name("\U000E0041Bea\u2800"), "Bea");
}

TEST(PeerName, IsMadeOfAnythingByLeavingOutWhatIsNotAllowed) {
    EXPECT_EQ(to_peer_name("a\nb\xff"
                           "c\u0085d"),
              "abcd");
    EXPECT_EQ(to_peer_name(std::string(100, 'x')), std::string(64, 'x'));
    // 63 bytes and a two-byte character do not fit: the character is left out whole.
    EXPECT_EQ(to_peer_name(std::string(63, 'x') + "é"), std::string(63, 'x'));
    EXPECT_EQ(to_peer_name(std::string(62, 'x') + "é"), std::string(62, 'x') + "é");
}

} // namespace
} // namespace thru
