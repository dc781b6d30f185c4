#include "engine/offer_listing.h"

#include <gtest/gtest.h>

#include "transfer/manifests.h"

namespace thru {
namespace {

ManifestTable photos() {
    ManifestTable manifest;
    for (const char *path : {"IMG_10.jpg", "IMG_9.jpg", "album 10/a.jpg", "album 9/b.jpg",
                             "album 9/IMG_2.jpg", "album 9/deep/c.txt"}) {
        EXPECT_TRUE(manifest.add({.kind = EntryKind::File, .path = path, .size = 10}));
    }
    EXPECT_TRUE(manifest.add({.kind = EntryKind::Folder, .path = "empty"}));
    return manifest;
}

std::vector<std::string> names(const OfferListing &listing) {
    std::vector<std::string> listed;
    for (const auto &entry : listing.entries) {
        listed.push_back(entry.name);
    }
    return listed;
}

using Names = std::vector<std::string>;

TEST(OfferListing, FoldersComeFirstAndNumbersCount) {
    const auto manifest = photos();
    const auto top = list_offer(manifest, 7, {}, {.limit = 10});
    EXPECT_EQ(names(top), (Names{"album 9", "album 10", "empty", "IMG_9.jpg", "IMG_10.jpg"}));
    EXPECT_EQ(top.entries[0].kind, EntryKind::Folder);
    EXPECT_EQ(top.entries[0].files, 3U);
    EXPECT_EQ(top.entries[0].bytes, 30U);
    const auto album = list_offer(manifest, 7, {}, {.path = "album 9", .limit = 10});
    EXPECT_EQ(names(album), (Names{"deep", "b.jpg", "IMG_2.jpg"}));
}

TEST(OfferListing, PagesAreThoseOfTheWholeOrder) {
    const auto manifest = photos();
    Names all;
    for (std::uint64_t offset = 0; offset < 6; ++offset) {
        const auto page = list_offer(manifest, 7, {}, {.offset = offset, .limit = 1});
        EXPECT_EQ(page.total, 5U);
        for (const auto &name : names(page)) {
            all.push_back(name);
        }
    }
    EXPECT_EQ(all, names(list_offer(manifest, 7, {}, {.limit = 10})));
}

TEST(OfferListing, ASearchFindsFilesInAllFoldersByTheirPaths) {
    const auto manifest = photos();
    const auto found = list_offer(manifest, 7, {}, {.query = "img", .limit = 10});
    EXPECT_EQ(names(found), (Names{"album 9/IMG_2.jpg", "IMG_9.jpg", "IMG_10.jpg"}));
    EXPECT_EQ(found.total, 3U);
    EXPECT_EQ(found.entries[0].files, 1U);
    const auto album = list_offer(manifest, 7, {}, {.query = "ALBUM 9", .offset = 1, .limit = 1});
    EXPECT_EQ(names(album), (Names{"album 9/b.jpg"}));
    EXPECT_EQ(album.total, 3U);
    EXPECT_EQ(list_offer(manifest, 7, {}, {.query = "empty", .limit = 10}).total, 0U);
    const auto inside = list_offer(manifest, 7, {}, {.path = "album 9", .query = "c", .limit = 10});
    EXPECT_EQ(names(inside), (Names{"deep/c.txt"}));
}

TEST(OfferListing, ASearchFindsOfferedAndChosenNames) {
    const auto manifest = photos();
    const auto renames =
        std::make_shared<const Renames>(Renames{{"album 9", "holidays"}, {"IMG_9.jpg", "dog.jpg"}});
    const auto found = [&](const std::string &query) {
        return names(
            list_offer(manifest, 7, {}, {.query = query, .limit = 10, .renames = renames}));
    };
    EXPECT_EQ(found("DAYS/img"), (Names{"album 9/IMG_2.jpg"}));
    EXPECT_EQ(found("9/img"), (Names{"album 9/IMG_2.jpg"}));
    EXPECT_EQ(found("dog"), (Names{"IMG_9.jpg"}));
    EXPECT_EQ(found("holidays").size(), 3U);
}

TEST(OfferListing, WhatWasRemovedIsNeitherListedNorFound) {
    const auto manifest = photos();
    const IndexRanges removed = {{.first = 3, .count = 3}};
    EXPECT_EQ(names(list_offer(manifest, 7, removed, {.limit = 1})), (Names{"album 10"}));
    EXPECT_EQ(list_offer(manifest, 7, removed, {.query = "img", .limit = 10}).total, 2U);
}

} // namespace
} // namespace thru
