#include "io/name_map.h"

#include <gtest/gtest.h>

#include "io/offered_names.h"

namespace thru {
namespace {

using test::Offer;

constexpr TargetRules kAllRules[] = {TargetRules::Posix, TargetRules::Windows, TargetRules::Macos};

/// Refused whatever the rules are; the reason as it is told.
std::string refusal_everywhere(std::initializer_list<ManifestEntry> entries) {
    std::string detail;
    for (const TargetRules rules : kAllRules) {
        Offer offer(rules);
        offer.add(entries);
        const auto extended = offer.extend();
        EXPECT_FALSE(extended) << static_cast<int>(rules);
        if (!extended) {
            EXPECT_EQ(extended.error().code, ErrorCode::BadManifest);
            detail = extended.error().detail;
        }
    }
    return detail;
}

std::vector<std::string> places(TargetRules rules, std::initializer_list<ManifestEntry> entries) {
    Offer offer(rules);
    offer.add(entries);
    const auto extended = offer.extend();
    EXPECT_TRUE(extended) << extended.error().detail;
    return extended ? offer.places() : std::vector<std::string>{};
}

using Places = std::vector<std::string>;
using test::file;
using test::folder;
using test::link;

// PATH-01 to -05, -07, -08, -17, -19, -20
TEST(NameMap, RefusesWhatMayNeverBeWrittenOnAllSystems) {
    using namespace std::string_view_literals;
    for (const std::string_view path : {"../x"sv,
                                        "a/../../x"sv,
                                        ".."sv,
                                        "a/.."sv,
                                        "/etc/x"sv,
                                        "//srv/share/x"sv,
                                        R"(\\srv\share\x)"sv,
                                        R"(\x)"sv,
                                        R"(C:\x)"sv,
                                        "C:x"sv,
                                        "c:/x"sv,
                                        R"(\\?\C:\x)"sv,
                                        R"(\\.\PhysicalDrive0)"sv,
                                        R"(\??\C:\x)"sv,
                                        R"(a\..\..\x)"sv,
                                        "x\0y"sv,
                                        "x\n"sv,
                                        "x\x1b[2J"sv,
                                        "x\u0085"sv,
                                        "\xff"sv,
                                        "\xc0\xae"sv,
                                        "\xed\xa0\x80"sv,
                                        "a\u200bb"sv,
                                        "exe\u202Etxt."sv,
                                        "\uFEFFx"sv,
                                        ""sv,
                                        "."sv,
                                        "./a"sv,
                                        "a//b"sv,
                                        "a/"sv,
                                        ".~thru-7f3c21.part"sv,
                                        ".~THRU-x"sv,
                                        "a/\uFF0E~\uFF34hru-x"sv}) {
        EXPECT_FALSE(refusal_everywhere({file("fine"), file(std::string(path))}).empty()) << path;
    }
}

// PATH-13, MAN-17
TEST(NameMap, RefusesWhatIsTooLongOrTooDeep) {
    EXPECT_TRUE(refusal_everywhere({file(std::string(256, 'n'))}).starts_with("name too long: n"));
    std::string deep;
    for (std::size_t depth = 0; depth < kMaxPathDepth; ++depth) {
        deep += "d/";
    }
    EXPECT_TRUE(refusal_everywhere({file(deep + "f")}).starts_with("too many folders deep: d/d"));
}

TEST(NameMap, NamesTheBadEntryInPrintableTextOfBoundedLength) {
    EXPECT_EQ(refusal_everywhere({file("a\x1b[2J")}), "control character: a\\x1b[2J");
    const std::string detail = refusal_everywhere({file(std::string(250, 'n') + "/\n")});
    EXPECT_EQ(detail, "control character: " + std::string(200, 'n'));
}

// MAN-08
TEST(NameMap, RefusesTheSamePathTwice) {
    EXPECT_EQ(refusal_everywhere({file("a/b"), file("a/c"), file("a/b")}),
              "the same path twice: a/b");
    EXPECT_EQ(refusal_everywhere({folder("a"), file("a")}), "the same path twice: a");
    EXPECT_EQ(refusal_everywhere({file("a"), folder("a")}), "the same path twice: a");
}

// MAN-11
TEST(NameMap, RefusesAFileWhereOthersNeedAFolder) {
    EXPECT_EQ(refusal_everywhere({file("a"), file("a/b")}),
              "in something that is not a folder: a/b");
    EXPECT_EQ(refusal_everywhere({file("a/b/c"), file("a/b")}),
              "not a folder, but others are in it: a/b");
    EXPECT_EQ(refusal_everywhere({link("s/l", "x"), file("s/l/x")}),
              "in something that is not a folder: s/l/x");
    EXPECT_EQ(refusal_everywhere({file("s/l/x"), link("s/l", "y")}),
              "not a folder, but others are in it: s/l");
}

TEST(NameMap, NeedsNoListedFoldersAndTakesThemLater) {
    EXPECT_EQ(places(TargetRules::Windows, {file("a/b/c"), folder("a/b"), folder("a")}),
              (Places{"a/b/c", "a/b", "a"}));
}

TEST(NameMap, LinksStayInTheirSharedItem) {
    EXPECT_EQ(places(TargetRules::Posix,
                     {link("s/a/l", "../b"), link("s/m", "a/l"), link("s/a/n", "..")}),
              (Places{"s/a/l", "s/m", "s/a/n"}));
    for (const char *target :
         {"/etc/passwd", "..", "../x", "../../s/x", "a\\b", "x\n", "C:/x", "a/../../x"}) {
        EXPECT_TRUE(refusal_everywhere({link("s/l", target)}).starts_with("symbolic link"))
            << target;
    }
    EXPECT_TRUE(refusal_everywhere({link("top", "x")}).starts_with("symbolic link"));
}

TEST(NameMap, GoneEntriesAreNothing) {
    Offer offer(TargetRules::Windows);
    offer.add({{.kind = EntryKind::Gone}, file("a"), {.kind = EntryKind::Gone}});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(1), "a");
}

// PATH-09 to -12
TEST(NameMap, WindowsGetsTheNearestNameThatItCanHold) {
    EXPECT_EQ(places(TargetRules::Windows,
                     {file("CON"), file("nul.txt"), file("d/COM1.log"), file("d/LPT9"),
                      file("COM\u00B9"), file("CONIN$"), file("clock$"), file("AUX "),
                      file("file:stream"), file("file::$DATA"), file("name."), file("name "),
                      file("name. ."), file("..."), file("<>\"|?*"), file("\uFF23\uFF2F\uFF2E")}),
              (Places{"_CON", "_nul.txt", "d/_COM1.log", "d/_LPT9", "_COM\u00B9", "_CONIN$",
                      "_clock$", "_AUX_", "file_stream", "file__$DATA", "name_", "name_ (2)",
                      "name___", "___", "______", "_\uFF23\uFF2F\uFF2E"}));
}

// PATH-06, -09 to -12, -16, -18, -21, -22
TEST(NameMap, OtherSystemsGetWhatTheyCanHold) {
    for (const TargetRules rules : {TargetRules::Posix, TargetRules::Macos}) {
        const Places names = {"CON",
                              "nul.txt",
                              "AUX ",
                              "file:stream",
                              "name.",
                              "...",
                              "<>\"|?*",
                              "%2e%2e/x",
                              "..%2fx",
                              "\u1112\u1161\u11ab",
                              "\U0001F468\u200D\U0001F469",
                              "\u0440\u0430ypal",
                              "-rf",
                              "$(reboot)",
                              ".DS_Store",
                              ".git/hooks/post-checkout"};
        Offer offer(rules);
        for (const std::string &name : names) {
            offer.add({file(name)});
        }
        ASSERT_TRUE(offer.extend());
        EXPECT_EQ(offer.places(), names);
        EXPECT_EQ(offer.names().mapped(), 0u);
    }
}

TEST(NameMap, MacosGetsNoForks) {
    EXPECT_EQ(places(TargetRules::Macos, {file("f/..namedfork/rsrc"), file("f/..NamedFork")}),
              (Places{"f/_..namedfork/rsrc", "f/_. (2).NamedFork"}));
}

// MAN-09, MAN-10
TEST(NameMap, NamesThatTheSystemTakesForOneGetNumbers) {
    for (const TargetRules rules : {TargetRules::Windows, TargetRules::Macos}) {
        EXPECT_EQ(places(rules, {file("README"), file("readme"), file("ReadMe"), file("\u00DF"),
                                 file("SS"), file("\u0130"), file("i\u0307"), file("\u00E9.txt"),
                                 file("e\u0301.txt"), file("K"), file("\u212A")}),
                  (Places{"README", "readme (2)", "ReadMe (3)", "\u00DF", "SS (2)", "\u0130",
                          "i\u0307 (2)", "\u00E9.txt", "e\u0301 (2).txt", "K", "\u212A (2)"}));
    }
    EXPECT_EQ(places(TargetRules::Posix,
                     {file("README"), file("readme"), file("\u00E9.txt"), file("e\u0301.txt")}),
              (Places{"README", "readme", "\u00E9.txt", "e\u0301.txt"}));
}

// MAN-09, PATH-11
TEST(NameMap, FoldersCarryTheirNewNameToEverythingBelow) {
    EXPECT_EQ(
        places(TargetRules::Windows, {file("A/x"), file("a/x"), file("A/b./y"), file("a/sub/z"),
                                      folder("a"), file("PRN/a?b/c"), file("PRN/a*b/c")}),
        (Places{"A/x", "a (2)/x", "A/b_/y", "a (2)/sub/z", "a (2)", "_PRN/a_b/c",
                "_PRN/a_b (2)/c"}));
}

TEST(NameMap, ANumberedNameGivesWayToOneThatIsOffered) {
    EXPECT_EQ(places(TargetRules::Windows, {file("a (2).x"), file("a.x"), file("A.x"), file("b?"),
                                            file("b_"), file("b_ (2)")}),
              (Places{"a (2).x", "a.x", "A (3).x", "b_", "b_ (2)", "b_ (2) (2)"}));
}

TEST(NameMap, ManyNamesThatAreOneKeepGettingNumbers) {
    Offer offer(TargetRules::Macos);
    for (unsigned bits = 0; bits < 16; ++bits) {
        std::string name = "abcd";
        for (unsigned at = 0; at < 4; ++at) {
            name[at] = static_cast<char>(name[at] - ((bits >> at & 1) != 0 ? 32 : 0));
        }
        offer.add({file(name)});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(8), "abcD (9)");
    EXPECT_EQ(offer.place(9), "AbcD (10)");
    EXPECT_EQ(offer.place(15), "ABCD (16)");
}

// PATH-13
TEST(NameMap, NamesThatBecomeTooLongAreCutBeforeTheExtension) {
    const std::string con = "CON." + std::string(247, 'n') + ".txt";
    EXPECT_EQ(places(TargetRules::Windows, {file(con)}),
              (Places{"_CON." + std::string(246, 'n') + ".txt"}));
    const std::string lower(255, 'n');
    EXPECT_EQ(places(TargetRules::Windows, {file(lower), file(std::string(255, 'N'))}),
              (Places{lower, std::string(251, 'N') + " (2)"}));
}

// PATH-14
TEST(NameMap, RefusesPathsThatBecomeTooLong) {
    std::string path = "CON";
    while (path.size() + 251 <= kMaxPathBytes) {
        path += '/' + std::string(250, 'p');
    }
    path += '/' + std::string(kMaxPathBytes - path.size() - 1, 'q');
    Offer posix(TargetRules::Posix);
    posix.add({file(path)});
    EXPECT_TRUE(posix.extend());
    Offer windows(TargetRules::Windows);
    windows.add({file(path)});
    const auto extended = windows.extend();
    ASSERT_FALSE(extended);
    EXPECT_TRUE(extended.error().detail.starts_with("path too long"));
}

TEST(NameMap, TellsWhichNamesItChanged) {
    Offer offer(TargetRules::Windows);
    offer.add({folder("CON"), file("CON/x"), file("CON/a?"), file("b")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), 2u);
    ASSERT_EQ(offer.names().listed().size(), 2u);
    EXPECT_EQ(offer.names().listed()[0].path, "CON");
    EXPECT_EQ(offer.names().listed()[0].written_as, "_CON");
    EXPECT_EQ(offer.names().listed()[1].path, "CON/a?");
    EXPECT_EQ(offer.names().listed()[1].written_as, "_CON/a_");
}

TEST(NameMap, ListsTheFirstChangedNamesAndCountsAll) {
    Offer offer(TargetRules::Windows);
    for (std::size_t number = 0; number < kMostListed + 5; ++number) {
        offer.add({file(std::to_string(number) + "?")});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), kMostListed + 5);
    EXPECT_EQ(offer.names().listed().size(), kMostListed);
}

} // namespace
} // namespace thru
