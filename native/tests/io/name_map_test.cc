#include "io/name_map.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <gtest/gtest.h>

#include "io/offers.h"

namespace thru {
namespace {

using test::Offer;
using test::offered_file;
using test::offered_folder;
using test::offered_link;
using Paths = std::vector<std::string>;

constexpr std::array kAllRules = {TargetRules::Posix, TargetRules::Windows, TargetRules::Macos};

std::vector<ManifestEntry> files(const Paths &paths) {
    std::vector<ManifestEntry> entries;
    for (const std::string &path : paths) {
        entries.push_back(offered_file(path));
    }
    return entries;
}

/// Where files of these names go.
Paths places(TargetRules rules, bool folds_case, const std::vector<ManifestEntry> &entries) {
    Offer offer(rules, folds_case);
    const auto added = offer.add(entries);
    EXPECT_TRUE(added) << added.error().detail;
    return added ? offer.places() : Paths{};
}

/// The detail of the refusal; empty when it is accepted.
std::string refusal(TargetRules rules, const std::vector<ManifestEntry> &entries) {
    Offer offer(rules, true);
    const auto added = offer.add(entries);
    if (added) {
        return {};
    }
    EXPECT_EQ(added.error().code, ErrorCode::BadManifest);
    return added.error().detail;
}

void expect_refused(const std::vector<ManifestEntry> &entries, std::string_view reason) {
    for (const TargetRules rules : kAllRules) {
        const std::string detail = refusal(rules, entries);
        EXPECT_TRUE(detail.contains(reason)) << entries.back().path << ": " << detail;
    }
}

TEST(NameMap, KeepsNamesThatTheSystemCanHold) {
    const Paths paths = {
        "photos/2024/a.jpg", "photos/\u00e9.txt", "b",          "..%2fx/-rf",
        ".bashrc",           "\u0440\u0430ypal",  "desktop.ini"}; // PATH-06, 16, 18, 21, 22
    for (const TargetRules rules : kAllRules) {
        EXPECT_EQ(places(rules, true, files(paths)), paths);
    }
    EXPECT_EQ(places(TargetRules::Posix, false, files({"CON", "a?b", "name.", "C/a:b"})),
              (Paths{"CON", "a?b", "name.", "C/a:b"}));
}

TEST(NameMap, WritesNamesThatWindowsCanNotHoldUnderSimilarOnes) {
    // PATH-09 to PATH-12
    EXPECT_EQ(places(TargetRules::Windows, true,
                     files({"CON", "nul.txt", "a/COM\u00b9", "what?.txt", "end. ", "xy:z"})),
              (Paths{"_CON", "_nul.txt", "a/_COM\u00b9", "what_.txt", "end__", "xy_z"}));
}

TEST(NameMap, CarriesAFoldersNewNameToAllThatIsInIt) {
    Offer offer(TargetRules::Windows, true);
    ASSERT_TRUE(offer.add({offered_file("AUX/a?/1"), offered_folder("AUX"),
                           offered_folder("AUX/a?"), offered_file("AUX/a?/2")}));
    EXPECT_EQ(offer.places(), (Paths{"_AUX/a_/1", "_AUX", "_AUX/a_", "_AUX/a_/2"}));
    // The files' own names were not changed.
    EXPECT_EQ(offer.map.mapped(), 2U);
    ASSERT_EQ(offer.map.listed().size(), 2U);
    EXPECT_EQ(offer.map.listed()[1].path, "AUX/a?");
    EXPECT_EQ(offer.map.listed()[1].written_as, "_AUX/a_");
}

TEST(NameMap, NumbersNamesThatBecomeTheSame) {
    // PATH-11
    EXPECT_EQ(places(TargetRules::Windows, true, files({"a?.txt", "a*.txt", "a_.txt", "A_.TXT"})),
              (Paths{"a_.txt", "a_ (2).txt", "a_ (3).txt", "A_ (4).TXT"}));
    EXPECT_EQ(places(TargetRules::Windows, false, files({"a.", "a ", "A_"})),
              (Paths{"a_", "a_ (2)", "A_"}));
    EXPECT_EQ(places(TargetRules::Posix, true, files({"a (2)", "a", "A", "a (3)"})),
              (Paths{"a (2)", "a", "A (3)", "a (3) (2)"}));
}

TEST(NameMap, NumbersNamesThatDifferInCaseOrCompositionOnlyWhereTheyAreOne) {
    // MAN-09, MAN-10
    const Paths offered = {"README",   "readme",    "stra\u00dfe", "STRASSE",
                           "\u00e9.t", "e\u0301.t", "\u0130",      "i\u0307"};
    const Paths numbered = {"README",   "readme (2)",    "stra\u00dfe", "STRASSE (2)",
                            "\u00e9.t", "e\u0301 (2).t", "\u0130",      "i\u0307 (2)"};
    EXPECT_EQ(places(TargetRules::Macos, true, files(offered)), numbered);
    EXPECT_EQ(places(TargetRules::Windows, true, files(offered)), numbered);
    EXPECT_EQ(places(TargetRules::Posix, false, files(offered)), offered);
}

TEST(NameMap, NeverMergesFoldersThatAreTwoAtTheSender) {
    const auto entries = {offered_folder("A"), offered_file("A/1"), offered_folder("a"),
                          offered_file("a/1"), offered_file("a/2"), offered_file("B/x"),
                          offered_file("b")};
    EXPECT_EQ(places(TargetRules::Windows, true, entries),
              (Paths{"A", "A/1", "a (2)", "a (2)/1", "a (2)/2", "B/x", "b (2)"}));
    EXPECT_EQ(places(TargetRules::Posix, false, entries),
              (Paths{"A", "A/1", "a", "a/1", "a/2", "B/x", "b"}));
}

TEST(NameMap, RefusesNamesThatMayNeverBeWritten) {
    for (const char *path : {"../x",
                             "a/../../x",
                             "..",
                             "a/..",
                             "/etc/x",
                             "//srv/share/x",
                             R"(\\srv\share\x)", // 01, 02
                             R"(C:\x)",
                             "C:x",
                             "c:/x",
                             R"(\\?\C:\x)",
                             R"(\??\C:\x)",
                             R"(a\..\..\x)", // 03-05
                             "x\n",
                             "x\x1b[2J",
                             "x\u0085",
                             "\xff",
                             "\xc0\xae/x",
                             "\xed\xa0\x80", // 07, 08
                             "a\u200bb",
                             "exe\u202Etxt.",
                             "\uFEFFx", // 17
                             ".",
                             "./a",
                             "a//b",
                             "a/",
                             "", // 19
                             ".~thru-1",
                             ".~THRU-x",
                             "a/\uFF0E~thru-x/b"}) { // 20
        expect_refused({offered_file("ok"), offered_file(path)}, ": ");
    }
    expect_refused({offered_file("a/" + std::string(256, 'n'))}, "name too long"); // PATH-13
    std::string deep = "f";
    for (std::size_t depth = 0; depth < kMaxPathDepth; ++depth) {
        deep.insert(0, "d/");
    }
    expect_refused({offered_file(deep)}, "too many folders deep"); // MAN-17
}

TEST(NameMap, NamesTheEntryThatItRefusesInPrintableCharacters) {
    EXPECT_EQ(refusal(TargetRules::Posix, {offered_file("ok"), offered_file("x\x1b[2J")}),
              "control character: x\\x1b[2J");
    EXPECT_EQ(refusal(TargetRules::Windows, files({"a", "a"})), "the same path twice: a");
}

TEST(NameMap, RefusesTheSamePathTwice) {
    // MAN-08
    expect_refused({offered_file("a/b"), offered_file("a/b")}, "the same path twice");
    expect_refused({offered_folder("a"), offered_folder("a")}, "the same path twice");
    expect_refused({offered_folder("a"), offered_file("a")}, "the same path twice");
    expect_refused({offered_file("a"), offered_folder("a")}, "the same path twice");
    expect_refused({offered_file("a/l"), offered_link("a/l", "x")}, "the same path twice");
}

TEST(NameMap, RefusesFilesThatOthersNeedAsFolders) {
    // MAN-11
    expect_refused({offered_file("a"), offered_file("a/b")}, "in something that is not a folder");
    expect_refused({offered_file("a"), offered_file("a/b/c/d")}, "is not a folder");
    expect_refused({offered_file("a/b/c"), offered_file("a/b")}, "not a folder, but others");
    expect_refused({offered_link("a/l", "b"), offered_file("a/l/x")}, "is not a folder");
    expect_refused({offered_file("a/l/x"), offered_link("a/l", "b")}, "not a folder");
}

TEST(NameMap, TakesFoldersBeforeAndAfterWhatIsInThem) {
    for (const TargetRules rules : kAllRules) {
        EXPECT_EQ(places(rules, true,
                         {offered_file("a/b/c"), offered_folder("a/b"), offered_folder("a"),
                          offered_folder("d"), offered_file("d/e")}),
                  (Paths{"a/b/c", "a/b", "a", "d", "d/e"}));
    }
}

TEST(NameMap, RefusesLinksThatLeadOutOfTheirSharedItem) {
    for (const char *target : {"/etc/passwd", "..", "../b", "../../x", R"(..\x)", "x\n", "b/../..",
                               "C:x", "\xff", "a\u202Eb"}) {
        expect_refused({offered_link("a/l", target)}, "symbolic link");
    }
    expect_refused({offered_link("a/b/l", "../../x")}, "symbolic link");
    for (const char *target : {"x", "a/x", "..", "../x"}) {
        expect_refused({offered_link("l", target)}, "in no shared item");
    }
    for (const TargetRules rules : kAllRules) {
        EXPECT_EQ(refusal(rules, {offered_link("a/l", "b"), offered_link("a/b/l", "../c/d"),
                                  offered_link("a/b/m", "./x"), offered_link("a/b/n", "..")}),
                  "");
    }
}

TEST(NameMap, LetsARemovedPathComeAgain) {
    Offer offer(TargetRules::Windows, true);
    ASSERT_TRUE(offer.add({offered_folder("a"), offered_file("a/x"), offered_file("b")}));
    offer.forget(1);
    offer.forget(1);
    ASSERT_TRUE(offer.add({offered_file("a/X")}));
    EXPECT_EQ(offer.place(3), "a/X");
    EXPECT_FALSE(offer.add({offered_file("a")})) << "still a folder";
}

TEST(NameMap, LetsARemovedFolderBecomeAFile) {
    Offer offer(TargetRules::Posix, false);
    ASSERT_TRUE(offer.add({offered_folder("a"), offered_file("a/b/c")}));
    offer.forget(0);
    offer.forget(1);
    ASSERT_TRUE(offer.add({offered_file("a")}));
    EXPECT_EQ(offer.place(2), "a");
    offer.map.forget(offer.manifest, {{.first = 0, .count = ~0ULL}});
    ASSERT_TRUE(offer.add({offered_file("a/b")}));
    EXPECT_EQ(offer.place(3), "a/b");
    EXPECT_EQ(offer.place(2), "a") << "who still asks for the old one gets what it was";
}

TEST(NameMap, PassesOverEntriesThatAreGone) {
    Offer offer(TargetRules::Posix, false);
    ASSERT_TRUE(
        offer.add({{.kind = EntryKind::Gone}, offered_file("a"), {.kind = EntryKind::Gone}}));
    EXPECT_EQ(offer.place(1), "a");
    offer.forget(0);
    EXPECT_FALSE(offer.add({offered_file("a")}));
}

TEST(NameMap, RefusesPathsThatBecomeTooLong) {
    std::string path;
    for (int folder = 0; folder < 63; ++folder) {
        path += "CON." + std::string(60, 'x') + "/";
    }
    ASSERT_EQ(path.size(), 4095U);
    path += "x";
    EXPECT_EQ(places(TargetRules::Posix, true, files({path})), Paths{path});
    EXPECT_TRUE(refusal(TargetRules::Windows, files({path})).contains("path too long"));
}

/// Names that a folding system takes for one: `count` ways to write `stem` in capitals and not.
Paths spellings(std::size_t count, std::string_view stem) {
    Paths paths;
    for (std::size_t spelling = 0; spelling < count; ++spelling) {
        std::string name(stem);
        for (std::size_t bit = 0; bit < name.size(); ++bit) {
            name[bit] = static_cast<char>(name[bit] - ((spelling >> bit & 1) != 0 ? 0x20 : 0));
        }
        paths.push_back(std::move(name));
    }
    return paths;
}

TEST(NameMap, IsLinearInTheNumberOfEntriesWhateverTheyAreCalled) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    Paths paths = spellings(100'000, "abcdefghijklmnopq");
    for (std::size_t file = 0; file < 200'000; ++file) {
        paths.push_back("d" + std::to_string(file / 1000) + "/e/f" + std::to_string(file));
    }
    ASSERT_EQ(places(TargetRules::Windows, true, files(paths)).size(), paths.size());
    // About a second on any machine. With a look at each of the others it would be hours.
    EXPECT_LT(Clock::now() - begin, std::chrono::minutes(1));
}

TEST(NameMap, GivesUpOnNamesMadeToTakeEachOthersNumbers) {
    // They differ only in what is cut off for a number: all want the same numbered names.
    Paths paths;
    for (unsigned pair = 0; pair < 3'000; ++pair) {
        std::string name(255, 'x');
        for (unsigned digit = 0; digit < 4; ++digit) {
            name[254 - digit] = static_cast<char>('a' + (pair >> 4 * digit & 15));
        }
        paths.push_back(name);
        name[0] = 'X';
        paths.push_back(name);
    }
    EXPECT_TRUE(refusal(TargetRules::Windows, files(paths)).contains("can't tell apart"));
}

TEST(NameMap, ListsSoManyNamesAndCountsTheRest) {
    Offer offer(TargetRules::Windows, true);
    for (std::size_t file = 0; file < kMostListed + 5; ++file) {
        ASSERT_TRUE(offer.add({offered_file("a?" + std::to_string(file))}));
    }
    EXPECT_EQ(offer.map.mapped(), kMostListed + 5);
    EXPECT_EQ(offer.map.listed().size(), kMostListed);
}

} // namespace
} // namespace thru
