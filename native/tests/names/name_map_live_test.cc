// Names of shares that change, and manifests that are refused midway.
#include <gtest/gtest.h>

#include "names/offered_names.h"

namespace thru::test {
namespace {

using Places = std::vector<std::string>;

TEST(LiveNames, GoOnWhereTheyWere) {
    Offer offer(TargetRules::Windows);
    offer.add({offered_file("A/x"), offered_file("CON/x")});
    ASSERT_TRUE(offer.extend());
    offer.add({offered_file("a/x"), offered_file("CON/y"), offered_file("A/y")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.places(), (Places{"A/x", "_CON/x", "a (2)/x", "_CON/y", "A/y"}));
}

TEST(LiveNames, TheSamePathIsRefusedInALaterPart) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_file("a")});
    ASSERT_TRUE(offer.extend());
    offer.add({offered_file("a")});
    EXPECT_FALSE(offer.extend());
}

TEST(LiveNames, AForgottenPathMayComeAgainAsSomethingElse) {
    Offer offer(TargetRules::Windows);
    offer.add({offered_file("a/b/c"), offered_file("x")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("a"), offered_folder("X")});
    ASSERT_TRUE(offer.extend());
    // A file may use `a` once the last entry in it is removed; `x` still exists.
    EXPECT_EQ(offer.places(), (Places{"a/b/c", "x", "a", "X (2)"}));
}

TEST(LiveNames, AFolderStaysWhileSomethingIsInIt) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_folder("a"), offered_file("a/b")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("a")});
    EXPECT_FALSE(offer.extend());
    offer.forget({{.first = 1, .count = 1}});
    EXPECT_TRUE(offer.extend());
}

TEST(LiveNames, ForgettingTwiceChangesNothing) {
    Offer offer(TargetRules::Macos);
    offer.add({offered_file("s/a"), offered_file("s/b")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("s")});
    EXPECT_FALSE(offer.extend());
}

TEST(LiveNames, TheFirstOfTwoIsNotTheOneThatIsForgotten) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_file("a")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("a")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_file("a")});
    EXPECT_FALSE(offer.extend());
}

TEST(LiveNames, WhatIsForgottenBeforeItCameIsNeverAdded) {
    Offer offer(TargetRules::Posix);
    offer.forget({{.first = 0, .count = 2}, {.first = kMaxManifestEntries - 1, .count = 5}});
    offer.add({offered_file("a"), offered_file(".."), offered_file("a")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(2), "a");
}

TEST(LiveNames, CanAllBeForgottenWithRangesOfAnyLength) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_file("a"), offered_file("b")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 1, .count = ~std::uint64_t{0}}});
    offer.add({offered_file("b"), offered_file("a")});
    EXPECT_TRUE(offer.extend()) << "what comes after them was forgotten, too";
    EXPECT_EQ(offer.place(0), "a");
}

TEST(LiveNames, KeepNothingOfAPartThatIsRefused) {
    Offer offer(TargetRules::Windows);
    offer.add({offered_file("s/old"), offered_file("s/CON")});
    ASSERT_TRUE(offer.extend());
    // New and existing folders, numbers below and above those tried for every name, and folders
    // that only the refused entry needs.
    std::vector<ManifestEntry> part = {offered_folder("s"), offered_file("t/a/b"),
                                       offered_file("t/A/b"), offered_file("aux")};
    for (unsigned number = 0; number < 12; ++number) {
        part.push_back(
            offered_file("q" + std::string(number, '?') + std::string(12 - number, '*')));
    }
    offer.add(part);
    offer.add({offered_file("u/v/w/CON"), offered_file("s/old/x")});
    const std::size_t end = offer.manifest().size();
    ASSERT_TRUE(offer.extend(2, 2));
    ASSERT_FALSE(offer.extend(2, end));
    EXPECT_EQ(offer.names().mapped(), 1u);
    EXPECT_EQ(offer.names().listed().size(), 1u);

    // A retry without the last entry works as if nothing had happened.
    ASSERT_TRUE(offer.extend(2, end - 1));
    Offer fresh(TargetRules::Windows);
    for (std::size_t index = 0; index + 1 < end; ++index) {
        fresh.add({offer.manifest().entry(index)});
    }
    ASSERT_TRUE(fresh.extend());
    for (std::size_t index = 0; index + 1 < end; ++index) {
        EXPECT_EQ(offer.place(index), fresh.place(index));
    }
    EXPECT_EQ(offer.names().mapped(), fresh.names().mapped());
}

TEST(LiveNames, AChangedFolderIsReportedOnceWhateverComesAndGoesInIt) {
    Offer offer(TargetRules::Windows);
    offer.add({offered_folder("CON"), offered_file("CON/x")});
    ASSERT_TRUE(offer.extend());
    offer.forget({{.first = 0, .count = 1}});
    offer.add({offered_folder("CON"), offered_file("CON/y")});
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), 1u);
    EXPECT_EQ(offer.names().listed().size(), 1u);
}

TEST(LiveNames, FoldersOfARefusedPartAreFreeForFiles) {
    Offer offer(TargetRules::Posix);
    offer.add({offered_file("u/v/w"), offered_file("..")});
    ASSERT_FALSE(offer.extend());
    Offer other(TargetRules::Posix);
    // Here the refused entry itself made the folders.
    other.add({offered_file("u"), offered_file("p/u"), offered_file("p/u/w")});
    ASSERT_FALSE(other.extend(1, 3));
    ASSERT_TRUE(other.extend(0, 2));
    EXPECT_EQ(other.place(1), "p/u");
}

} // namespace
} // namespace thru::test
