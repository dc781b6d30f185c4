// Names designed to cost time: anything quadratic would take minutes.
#include <gtest/gtest.h>

#include "names/offered_names.h"

namespace thru::test {
namespace {

/// One of 2^17 names that are equal if case is ignored.
std::string in_case(std::string name, std::size_t variant) {
    for (std::size_t at = 0; at < 17; ++at) {
        name[at] = static_cast<char>(name[at] - ((variant >> at & 1) != 0 ? 'a' - 'A' : 0));
    }
    return name;
}

// MAN-11
TEST(ManyNames, AFileThatOthersNeedAsAFolderIsFoundAmongManyFiles) {
    Offer offer(TargetRules::Windows);
    for (std::size_t number = 0; number < 100'000; ++number) {
        offer.add({offered_file("a" + std::to_string(number) + (number % 2 == 0 ? "" : "/b"))});
    }
    ASSERT_TRUE(offer.extend());
    offer.add({offered_file("a0/b")});
    EXPECT_FALSE(offer.extend());
}

TEST(ManyNames, ThatAreAllOneGetNumbersInLinearTime) {
    Offer offer(TargetRules::Macos);
    for (std::size_t variant = 0; variant < 100'000; ++variant) {
        offer.add({offered_file(in_case(std::string(20, 'n'), variant))});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), 99'999u);
}

TEST(ManyNames, ThatAreOneOnlyOnceTheyAreCutGetNumbersInLinearTime) {
    // Once cut for ` (2)`, the names lose their distinguishing part.
    Offer offer(TargetRules::Windows);
    for (std::size_t number = 0; number < 50'000; ++number) {
        std::string name = std::string(250, 'n') + std::to_string(10'000 + number);
        offer.add({offered_file(name)});
        name[0] = 'N';
        offer.add({offered_file(name)});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.names().mapped(), 50'000u);
}

TEST(ManyNames, FoldersThatNothingListsAreBounded) {
    std::string deep;
    for (int depth = 0; depth < 100; ++depth) {
        deep += "/d";
    }
    Offer offer(TargetRules::Posix);
    for (std::size_t number = 0; number < 2 * kMaxManifestEntries / 100; ++number) {
        offer.add({offered_file(std::to_string(number) + deep)});
    }
    const auto extended = offer.extend();
    ASSERT_FALSE(extended);
    EXPECT_TRUE(extended.error().detail.starts_with("too many folders"));
    EXPECT_TRUE(offer.extend(0, 1000));
}

// MAN-18
TEST(ManyNames, EmptyFoldersAreEntriesLikeOthers) {
    Offer offer(TargetRules::Windows);
    for (std::size_t number = 0; number < 300'000; ++number) {
        offer.add({offered_folder("s/" + std::to_string(number))});
    }
    ASSERT_TRUE(offer.extend());
    EXPECT_EQ(offer.place(299'999), "s/299999");
}

} // namespace
} // namespace thru::test
