#include "names/name_map.h"

#include <gtest/gtest.h>

#include "names/offered_names.h"

namespace thru::test {
namespace {

/// Expects a refusal under any rules; returns its reason.
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

// PATH-01, -02, -05, -17
TEST(NameMap, RefusesWhatMayNeverBeWrittenOnAllSystems) {
    using namespace std::string_view_literals;
    for (const std::string_view path :
         {"../x"sv, "a/../../x"sv, ".."sv, "a/.."sv, "/etc/x"sv, "//srv/share/x"sv, "x\0y"sv, ""sv,
          "."sv, "./a"sv, "a//b"sv, "a/"sv, ".~thru-7f3c21.part"sv, ".~THRU-x"sv,
          "a/\uFF0E~\uFF34hru-x"sv}) {
        EXPECT_FALSE(
            refusal_everywhere({offered_file("fine"), offered_file(std::string(path))}).empty())
            << path;
    }
}

// PATH-13, MAN-17
TEST(NameMap, RefusesWhatIsTooLongOrTooDeep) {
    EXPECT_TRUE(
        refusal_everywhere({offered_file(std::string(256, 'n'))}).starts_with("name too long: n"));
    std::string deep;
    for (std::size_t depth = 0; depth < kMaxPathDepth; ++depth) {
        deep += "d/";
    }
    EXPECT_TRUE(
        refusal_everywhere({offered_file(deep + "f")}).starts_with("too many folders deep: d/d"));
}

TEST(NameMap, NamesTheBadEntryInPrintableTextOfBoundedLength) {
    EXPECT_EQ(refusal_everywhere({offered_file("a\x1b[2J/..")}), "dot name: a%1B[2J/..");
    const std::string detail = refusal_everywhere({offered_file(std::string(250, 'n') + "/..")});
    EXPECT_EQ(detail, "dot name: " + std::string(200, 'n'));
}

// PATH-03, -04, -07, -08, -19, -20
TEST(NameMap, WritesInPercentFormWhatNoSystemMayShow) {
    for (const TargetRules rules : {TargetRules::Posix, TargetRules::Macos}) {
        EXPECT_EQ(places(rules, {offered_file("C:"), offered_file("x\n"), offered_file("d/C:x"),
                                 offered_file(R"(..\..\x)")}),
                  (Places{"C%3A", "x%0A", "d/C:x", R"(..\..\x)"}));
    }
    EXPECT_EQ(
        places(TargetRules::Windows, {offered_file(R"(C:\x)"), offered_file(R"(\\srv\share\x)"),
                                      offered_file(R"(a\..\..\x)"), offered_file("a\n?")}),
        (Places{"C_%5Cx", "%5C%5Csrv%5Cshare%5Cx", "a%5C..%5C..%5Cx", "a%0A_"}));
}

TEST(NameMap, ANameInPercentFormIsNeverTakenForOneThatIsOffered) {
    for (const TargetRules rules : kAllRules) {
        EXPECT_EQ(places(rules, {offered_file("d/a\n"), offered_file("d/a%0A")}),
                  (Places{"d/a%0A", "d/a%0A (2)"}));
        EXPECT_EQ(places(rules, {offered_file("a%0A.x"), offered_file("a\n.x")}),
                  (Places{"a%0A.x", "a%0A (2).x"}));
        EXPECT_EQ(
            places(rules, {offered_file("a%0A (2)"), offered_file("a%0A"), offered_file("a\n")}),
            (Places{"a%0A (2)", "a%0A", "a%0A (3)"}));
        EXPECT_EQ(places(rules, {offered_file(std::string(200, '\n') + "a"),
                                 offered_file(std::string(200, '\n') + "b")})
                      .back()
                      .substr(251),
                  " (2)");
    }
}

TEST(NameMap, LinksLeadToTheNamesThatAreWritten) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_link("s/l", "d\n/a\xff"), offered_link("s/d\n/m", "./../a\n"),
               offered_link("s/n", "gone\n/../x"), offered_link("s/o", "gone\n/x\ty")});
    EXPECT_FALSE(offer.extend()) << "a target that goes up behind a name";
    Offer fine(TargetRules::Posix);
    fine.add({offered_link("s/l", "d\n/a\xff"), offered_link("s/d\n/m", "./../a\n"),
              offered_link("s/o", "gone\n/x\ty"), offered_file("s/a%0A"), offered_file("s/a\n"),
              offered_file("s/d\n/a\xff"), offered_link("s/p", "..x/C:y")});
    ASSERT_TRUE(fine.extend());
    const auto target = [&fine](std::size_t index) {
        return fine.names().target(fine.manifest(), index);
    };
    EXPECT_EQ(target(0), "d%0A/a%FF");
    EXPECT_EQ(target(1), "./../a%0A (2)");
    EXPECT_EQ(target(2), "gone%0A/x%09y");
    EXPECT_EQ(target(6), "..x/C:y");
}

// MAN-08
TEST(NameMap, RefusesDuplicatePaths) {
    EXPECT_EQ(refusal_everywhere({offered_file("a/b"), offered_file("a/c"), offered_file("a/b")}),
              "the same path twice: a/b");
    EXPECT_EQ(refusal_everywhere({offered_folder("a"), offered_file("a")}),
              "the same path twice: a");
    EXPECT_EQ(refusal_everywhere({offered_folder("a"), offered_folder("a")}),
              "the same path twice: a");
    EXPECT_EQ(refusal_everywhere({offered_file("a/l"), offered_link("a/l", "x")}),
              "the same path twice: a/l");
    EXPECT_EQ(refusal_everywhere({offered_file("a"), offered_folder("a")}),
              "the same path twice: a");
}

// MAN-11
TEST(NameMap, RefusesAFileWhereOthersNeedAFolder) {
    EXPECT_EQ(refusal_everywhere({offered_file("a"), offered_file("a/b")}),
              "in something that is not a folder: a/b");
    EXPECT_EQ(refusal_everywhere({offered_file("a"), offered_file("a/b/c/d")}),
              "in something that is not a folder: a/b/c/d");
    EXPECT_EQ(refusal_everywhere({offered_file("a/b/c"), offered_file("a/b")}),
              "not a folder, but others are in it: a/b");
    EXPECT_EQ(refusal_everywhere({offered_link("s/l", "x"), offered_file("s/l/x")}),
              "in something that is not a folder: s/l/x");
    EXPECT_EQ(refusal_everywhere({offered_file("s/l/x"), offered_link("s/l", "y")}),
              "not a folder, but others are in it: s/l");
}

TEST(NameMap, NeedsNoListedFoldersAndTakesThemLater) {
    EXPECT_EQ(places(TargetRules::Windows,
                     {offered_file("a/b/c"), offered_folder("a/b"), offered_folder("a")}),
              (Places{"a/b/c", "a/b", "a"}));
}

TEST(NameMap, LinksStayInTheirSharedItem) {
    EXPECT_EQ(places(TargetRules::Posix, {offered_link("s/a/l", "../b"), offered_link("s/m", "a/l"),
                                          offered_link("s/a/n", "..")}),
              (Places{"s/a/l", "s/m", "s/a/n"}));
    for (const char *target : {"/etc/passwd", "..", "../x", "../../s/x", "a/../../x", "", "a//b"}) {
        EXPECT_TRUE(refusal_everywhere({offered_link("s/l", target)}).starts_with("symbolic link"))
            << target;
    }
    EXPECT_TRUE(refusal_everywhere({offered_link("top", "x")}).starts_with("symbolic link"));
}

TEST(NameMap, GoneEntriesAreNothing) {
    Offer offer(TargetRules::Windows);
    offer.add({{.kind = EntryKind::Gone}, offered_file("a"), {.kind = EntryKind::Gone}});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(1), "a");
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("a")});
    EXPECT_FALSE(offer.extend());
}

// MAN-09, MAN-10
TEST(NameMap, NamesThatTheSystemTakesForOneGetNumbers) {
    for (const TargetRules rules : {TargetRules::Windows, TargetRules::Macos}) {
        EXPECT_EQ(
            places(rules, {offered_file("README"), offered_file("readme"), offered_file("ReadMe"),
                           offered_file("\u00DF"), offered_file("SS"), offered_file("\u0130"),
                           offered_file("i\u0307"), offered_file("\u00E9.txt"),
                           offered_file("e\u0301.txt"), offered_file("K"), offered_file("\u212A")}),
            (Places{"README", "readme (2)", "ReadMe (3)", "\u00DF", "SS (2)", "\u0130",
                    "i\u0307 (2)", "\u00E9.txt", "e\u0301 (2).txt", "K", "\u212A (2)"}));
    }
    EXPECT_EQ(places(TargetRules::Posix, {offered_file("README"), offered_file("readme"),
                                          offered_file("\u00E9.txt"), offered_file("e\u0301.txt")}),
              (Places{"README", "readme", "\u00E9.txt", "e\u0301.txt"}));
}

// MAN-09, PATH-11
TEST(NameMap, FoldersCarryTheirNewNameToEverythingBelow) {
    EXPECT_EQ(places(TargetRules::Windows,
                     {offered_file("A/x"), offered_file("a/x"), offered_file("A/b./y"),
                      offered_file("a/sub/z"), offered_folder("a"), offered_file("PRN/a?b/c"),
                      offered_file("PRN/a*b/c")}),
              (Places{"A/x", "a (2)/x", "A/b_/y", "a (2)/sub/z", "a (2)", "_PRN/a_b/c",
                      "_PRN/a_b (2)/c"}));
}

// MAN-09
TEST(NameMap, FoldsCaseAsTheTargetDoesWhateverItsRules) {
    const auto placed = [](TargetRules rules, bool folds_case, const Places &paths) {
        Offer offer(rules, folds_case);
        for (const std::string &path : paths) {
            offer.add({offered_file(path)});
        }
        EXPECT_TRUE(offer.extend());
        return offer.places();
    };
    EXPECT_EQ(placed(TargetRules::Windows, false, {"a.", "a ", "A_"}),
              (Places{"a_", "a_ (2)", "A_"}));
    EXPECT_EQ(placed(TargetRules::Posix, true, {"a (2)", "a", "A", "a (3)"}),
              (Places{"a (2)", "a", "A (3)", "a (3) (2)"}));
}

TEST(NameMap, PortableNamesAreThoseThatEverySystemCanHold) {
    ManifestTable manifest;
    for (const char *path : {"CON", "a", "A"}) {
        ASSERT_TRUE(manifest.add(offered_file(path)));
    }
    NameMap names(ReceiveOptions{.portable_names = true});
    ASSERT_TRUE(names.extend(manifest, 0, manifest.size()));
    EXPECT_EQ(names.place(manifest, 0).text(), "_CON");
    EXPECT_EQ(names.place(manifest, 2).text(), "A (2)");
}

TEST(NameMap, ANumberedNameGivesWayToOneThatIsOffered) {
    EXPECT_EQ(places(TargetRules::Windows,
                     {offered_file("a (2).x"), offered_file("a.x"), offered_file("A.x"),
                      offered_file("b?"), offered_file("b_"), offered_file("b_ (2)")}),
              (Places{"a (2).x", "a.x", "A (3).x", "b_", "b_ (2)", "b_ (2) (2)"}));
}

// PATH-13
TEST(NameMap, NamesThatBecomeTooLongAreCutBeforeTheExtension) {
    const std::string con = "CON." + std::string(247, 'n') + ".txt";
    EXPECT_EQ(places(TargetRules::Windows, {offered_file(con)}),
              (Places{"_CON." + std::string(246, 'n') + ".txt"}));
    const std::string lower(255, 'n');
    EXPECT_EQ(
        places(TargetRules::Windows, {offered_file(lower), offered_file(std::string(255, 'N'))}),
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
    posix.add({offered_file(path)});
    EXPECT_TRUE(posix.extend());
    Offer windows(TargetRules::Windows);
    windows.add({offered_file(path)});
    const auto extended = windows.extend();
    ASSERT_FALSE(extended);
    EXPECT_TRUE(extended.error().detail.starts_with("path too long"));
}

TEST(NameMap, ReportsChangedNames) {
    Offer offer(TargetRules::Windows);
    offer.add(
        {offered_folder("CON"), offered_file("CON/x"), offered_file("CON/a?"), offered_file("b")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), 2u);
    ASSERT_EQ(offer.names().listed().size(), 2u);
    EXPECT_EQ(offer.names().listed()[0].path, "CON");
    EXPECT_EQ(offer.names().listed()[0].written_as, "_CON");
    EXPECT_EQ(offer.names().listed()[1].path, "CON/a?");
    EXPECT_EQ(offer.names().listed()[1].written_as, "_CON/a_");
}

TEST(NameMap, ReportsChangedFoldersThatAreNoEntries) {
    Offer offer(TargetRules::Windows);
    offer.add({offered_file("CON/a/x?"), offered_file("CON/a/y"), offered_folder("CON"),
               offered_file("s/aux/b:/z")});
    ASSERT_TRUE(offer.extend());
    std::vector<std::pair<std::string, std::string>> reported;
    for (const MappedName &name : offer.names().listed()) {
        reported.emplace_back(name.path, name.written_as);
    }
    const std::vector<std::pair<std::string, std::string>> changed = {
        {"CON", "_CON"},
        {"CON/a/x?", "_CON/a/x_"},
        {"s/aux", "s/_aux"},
        {"s/aux/b:", "s/_aux/b_"},
    };
    EXPECT_EQ(reported, changed);
    EXPECT_EQ(offer.names().mapped(), 4u);

    Offer twice(TargetRules::Posix);
    twice.add({offered_file("d%01/x"), offered_file("d\x01/x")});
    ASSERT_TRUE(twice.extend());
    ASSERT_EQ(twice.names().listed().size(), 1u);
    EXPECT_EQ(twice.names().listed()[0].path, "d\x01");
    EXPECT_EQ(twice.names().listed()[0].written_as, "d%01 (2)");
}

TEST(NameMap, ListsTheFirstChangedNamesAndCountsAll) {
    Offer offer(TargetRules::Windows);
    for (std::size_t number = 0; number < kMaxListedNames + 5; ++number) {
        offer.add({offered_file(std::to_string(number) + "?")});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), kMaxListedNames + 5);
    EXPECT_EQ(offer.names().listed().size(), kMaxListedNames);
}

} // namespace
} // namespace thru::test
