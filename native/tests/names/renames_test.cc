#include "names/renames.h"

#include <gtest/gtest.h>

#include "names/offered_names.h"

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

TEST(Renames, ChangeOnlyTheItemOfAPath) {
    const Renames renames{{"docs", "papers"}, {"a", "docs"}};
    EXPECT_EQ(RenamedPath("docs/docs/a", &renames).text(), "papers/docs/a");
    EXPECT_EQ(RenamedPath("docs", &renames).text(), "papers");
    EXPECT_EQ(RenamedPath("a", &renames).text(), "docs");
    EXPECT_EQ(RenamedPath("document", &renames).text(), "document");
    EXPECT_EQ(RenamedPath("docs/a", nullptr).text(), "docs/a");
    EXPECT_EQ(RenamedPath("papers/a", &renames).text(), "") << "docs has its name";
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
