#include "names/renames.h"

#include <gtest/gtest.h>

#include "names/offered_names.h"
#include "transfer/renamed_path.h"

namespace thru::test {
namespace {

std::shared_ptr<const Renames> renamed(Renames renames) {
    return std::make_shared<const Renames>(std::move(renames));
}

TEST(Renames, OnlyNamesThatTheRulesAllow) {
    for (const TargetRules rules : kAllRules) {
        EXPECT_TRUE(check_renames({{"a", "b"}, {"b", "a"}, {"c", "é 🙂.txt"}}, rules, true));
        EXPECT_TRUE(check_renames({{"a", std::string(255, 'x')}}, rules, true));
        for (const std::string name :
             {"", ".", "..", "a/b", "/", "../a", ".~thru-1.part", "C:\\x", "bell\a", "\xff"}) {
            const auto checked = check_renames({{"a", name}}, rules, true);
            ASSERT_FALSE(checked) << name;
            EXPECT_EQ(checked.error().code, ErrorCode::NameNotAllowed);
        }
        EXPECT_FALSE(check_renames({{"a", std::string("x\0y", 3)}}, rules, true));
        EXPECT_FALSE(check_renames({{"a", std::string(256, 'x')}}, rules, true));
    }
    for (const std::string name : {"con.txt", "a?", "a\\b", "end."}) {
        EXPECT_FALSE(check_renames({{"a", name}}, TargetRules::Windows, true)) << name;
    }
}

TEST(Renames, GiveNoNameTwice) {
    EXPECT_FALSE(check_renames({{"a", "x"}, {"b", "x"}}, TargetRules::Posix, false));
    EXPECT_TRUE(check_renames({{"a", "x"}, {"b", "X"}}, TargetRules::Posix, false));
    EXPECT_FALSE(check_renames({{"a", "x"}, {"b", "X"}}, TargetRules::Macos, true));
}

TEST(Renames, AreNamedWhenTheyAreRefused) {
    const auto detail = [](const Renames &renames) {
        const auto checked = check_renames(renames, TargetRules::Windows, true);
        return checked ? std::string{} : checked.error().detail;
    };
    EXPECT_EQ(detail({{"a", "con"}}), "reserved name on Windows: con");
    EXPECT_EQ(detail({{"a", "x/y"}}), "slash in a name: x/y");
    EXPECT_EQ(detail({{"a", "x"}, {"b", "X"}}), "the same name for two items: X");
    EXPECT_TRUE(detail({{"a", "bell\a"}}).ends_with(": bell%07"));
    EXPECT_LT(detail({{"a", std::string(3'000, 'x')}}).size(), 300U);
}

TEST(Renames, ChangeOnlyTheItemOfAPath) {
    const Renames renames{{"docs", "papers"}, {"a", "docs"}};
    EXPECT_EQ(renamed_path("docs/docs/a", renames), "papers/docs/a");
    EXPECT_EQ(renamed_path("docs", renames), "papers");
    EXPECT_EQ(renamed_path("a", renames), "docs");
    EXPECT_EQ(renamed_path("document", renames), "document");
}

/// The paths by which a journal knows these entries.
std::vector<std::string> journal_paths(const Offer &offer) {
    std::vector<std::string> paths;
    for (std::size_t index = 0; index < offer.manifest().size(); ++index) {
        paths.emplace_back(offer.names().journal_path(offer.manifest(), index).text());
    }
    return paths;
}

TEST(RenamedItems, AreInAJournalUnderTheirNamesInTheTarget) {
    Offer offer(TargetRules::Posix, renamed({{"docs", "papers"}, {"a", "docs"}}));
    offer.add({offered_file("docs/docs/a"), offered_file("a"), offered_file("papers/b"),
               offered_file("other/papers"), offered_file("papers (2)/b")});
    ASSERT_TRUE(offer.extend());
    const std::vector<std::string> expected{"papers/docs/a", "docs", "papers (2)/b", "other/papers",
                                            "papers (2) (2)/b"};
    EXPECT_EQ(journal_paths(offer), expected);
    offer.add({offered_file("later")});
    EXPECT_EQ(journal_paths(offer).back(), "") << "not added yet";
}

TEST(RenamedItems, AreInAJournalUnderOfferedNamesIfNoneWasChosen) {
    Offer offer(TargetRules::Windows, true);
    offer.add({offered_file("a?/b"), offered_file("x"), offered_file("X")});
    ASSERT_TRUE(offer.extend());
    const std::vector<std::string> expected{"a?/b", "x", "X"};
    EXPECT_EQ(journal_paths(offer), expected);
}

TEST(RenamedItems, AreRefusedByNameIfAPathIsTooLong) {
    std::string path = "docs";
    while (path.size() + 201 <= kMaxPathBytes) {
        path += "/" + std::string(200, 'x');
    }
    const std::string name(255, 'n');
    for (const bool is_renamed : {true, false}) {
        Offer offer(TargetRules::Posix, renamed({{is_renamed ? "docs" : "other", name}}));
        offer.add({offered_file(path)});
        const auto extended = offer.extend();
        ASSERT_EQ(extended.has_value(), !is_renamed);
        if (is_renamed) {
            EXPECT_EQ(extended.error().code, ErrorCode::NameNotAllowed);
            EXPECT_EQ(extended.error().detail,
                      "path too long with the chosen name: " + name.substr(0, 200));
        }
    }
}

TEST(RenamedItems, AreExactlyAtTheirNamesInAnyOrder) {
    for (const TargetRules rules : kAllRules) {
        Offer offer(rules, renamed({{"a", "b"}, {"b", "a"}, {"docs", "papers"}}));
        offer.add({offered_file("a"), offered_file("docs/a"), offered_file("b"),
                   offered_folder("docs"), offered_file("docs/b")});
        ASSERT_TRUE(offer.extend());
        const std::vector<std::string> expected{"b", "papers/a", "a", "papers", "papers/b"};
        EXPECT_EQ(offer.places(), expected);
        EXPECT_EQ(offer.names().mapped(), 3U);
        EXPECT_EQ(offer.names().listed()[1].path, "docs");
        EXPECT_EQ(offer.names().listed()[1].written_as, "papers");
    }
}

TEST(RenamedItems, KeepTheirNamesFromItemsThatComeBeforeOrLater) {
    for (const TargetRules rules : kAllRules) {
        Offer offer(rules, renamed({{"a", "b.txt"}}));
        offer.add({offered_file("b.txt"), offered_file("a"), offered_file("b (2).txt")});
        ASSERT_TRUE(offer.extend());
        const std::vector<std::string> expected{"b (2).txt", "b.txt", "b (2) (2).txt"};
        EXPECT_EQ(offer.places(), expected);
        offer.forget({{1, 1}});
        offer.add({offered_file("a"), offered_file("sub/b.txt")});
        ASSERT_TRUE(offer.extend());
        EXPECT_EQ(offer.place(3), "b.txt") << "offered again";
        EXPECT_EQ(offer.place(4), "sub/b.txt") << "only items";
    }
    Offer folding(TargetRules::Macos, renamed({{"a", "Bild"}}));
    folding.add({offered_file("BILD"), offered_file("a")});
    ASSERT_TRUE(folding.extend());
    EXPECT_EQ(folding.place(0), "BILD (2)");
    EXPECT_EQ(folding.place(1), "Bild");
}

TEST(RenamedItems, AreWhereLinksLead) {
    Offer offer(TargetRules::Posix, renamed({{"docs", "papers"}}));
    offer.add({offered_file("docs/a"), offered_link("docs/sub/l", "../a")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(1), "papers/sub/l");
    EXPECT_EQ(offer.names().target(offer.manifest(), 1), "../a");
}

} // namespace
} // namespace thru::test
