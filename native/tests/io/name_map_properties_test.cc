// Whatever the manifest: every place is allowed, and no two entries share one.
#include <array>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "io/code_points.h"
#include "io/offers.h"

namespace thru {
namespace {

using test::Offer;
using test::offered_file;
using test::offered_folder;

/// Names out of pieces that matter to one system or another.
class RandomNames {
public:
    explicit RandomNames(unsigned seed) : random_(seed) {}

    std::string path() {
        std::string path = name();
        for (auto depth = below(4); depth > 0; --depth) {
            path += '/' + name();
        }
        return path;
    }
    std::size_t below(std::size_t bound) { return random_() % bound; }

private:
    std::string name() {
        static const std::vector<std::string> kPieces = {
            "a",      "A",           "b",
            "CON",    "con",         "nul",
            ".",      ".txt",        " ",
            "?",      ":",           "_",
            " (2)",   "COM1",        "\u00b9",
            "\u00df", "ss",          "\u00e9",
            "e",      "\u0301",      "\u0130",
            "..",     "\uff21",      "\u03a3",
            "\u03c3", "*",           ".~thru",
            "\u200d", "..namedfork", "\u0345",
            "\u03b1", "\ud55c",      "\u1112\u1161\u11ab"};
        std::string name;
        for (auto pieces = 1 + below(3); pieces > 0; --pieces) {
            name += kPieces[below(kPieces.size())];
        }
        if (below(20) == 0) {
            name.insert(0, std::string(below(256), 'x'));
        }
        return name;
    }
    std::mt19937 random_;
};

/// As NameMap says where entries go: what breaks the promise for this manifest, none when it is
/// kept.
template <class PlaceOf>
std::optional<std::string> broken_promise(const ManifestTable &manifest, TargetRules rules,
                                          PlaceOf place_of) {
    std::set<std::string> taken;
    for (std::uint64_t index = 0; index < manifest.size(); ++index) {
        const std::string place = place_of(index);
        if (!SafeRelPath::parse(place, rules)) {
            return "not allowed: " + place;
        }
        if (!taken.insert(folded(place)).second) {
            return "shared: " + place;
        }
    }
    return std::nullopt;
}

/// Accepted entries only, of a manifest that a stranger made up.
std::unique_ptr<Offer> random_offer(TargetRules rules, unsigned seed) {
    RandomNames names(seed);
    auto offer = std::make_unique<Offer>(rules, true);
    std::vector<ManifestEntry> accepted;
    for (int entry = 0; entry < 40; ++entry) {
        const std::string path = names.path();
        accepted.push_back(names.below(4) == 0 ? offered_folder(path) : offered_file(path));
        Offer trial(rules, true);
        if (!trial.add(accepted)) {
            accepted.pop_back();
        }
    }
    EXPECT_TRUE(offer->add(accepted));
    return offer;
}

constexpr std::array kAllRules = {TargetRules::Posix, TargetRules::Windows, TargetRules::Macos};

TEST(NameMapProperties, EveryPlaceIsAllowedAndOneEntrysOnly) {
    std::size_t entries = 0;
    for (const TargetRules rules : kAllRules) {
        for (unsigned seed = 0; seed < 25; ++seed) {
            const auto offer = random_offer(rules, seed);
            const auto broken = broken_promise(
                offer->manifest, rules, [&](std::uint64_t index) { return offer->place(index); });
            ASSERT_FALSE(broken) << *broken << ", seed " << seed;
            entries += offer->manifest.size();
        }
    }
    EXPECT_GT(entries, 1'000U) << "too few to show anything";
}

TEST(NameMapProperties, WhatIsInAFolderStaysInIt) {
    for (const TargetRules rules : kAllRules) {
        for (unsigned seed = 100; seed < 105; ++seed) {
            const auto offer = random_offer(rules, seed);
            for (std::uint64_t folder = 0; folder < offer->manifest.size(); ++folder) {
                const std::string above = std::string(offer->manifest.path(folder)) + '/';
                for (std::uint64_t index = 0; index < offer->manifest.size(); ++index) {
                    EXPECT_EQ(offer->manifest.path(index).starts_with(above),
                              offer->place(index).starts_with(offer->place(folder) + '/'));
                }
            }
        }
    }
}

TEST(NameMapProperties, TheOrderInWhichEntriesComeInPiecesDoesNotMatter) {
    for (unsigned seed = 200; seed < 220; ++seed) {
        const auto whole = random_offer(TargetRules::Windows, seed);
        Offer pieces(TargetRules::Windows, true);
        for (std::uint64_t index = 0; index < whole->manifest.size(); ++index) {
            ASSERT_TRUE(pieces.add({whole->manifest.entry(index)}));
        }
        EXPECT_EQ(pieces.places(), whole->places());
    }
}

/// The control: rules that are wrong are caught.
TEST(NameMapProperties, WrongRulesBreakThePromise) {
    std::set<std::string> broken;
    for (unsigned seed = 0; seed < 25; ++seed) {
        const auto offer = random_offer(TargetRules::Windows, seed);
        const auto as_offered = [&](std::uint64_t index) {
            return std::string(offer->manifest.path(index));
        };
        // Each component for itself, without a look at what there is.
        const auto nearest = [&](std::uint64_t index) {
            const auto offered = SafeRelPath::parse(as_offered(index), TargetRules::Posix);
            std::string path;
            for (const auto part : offered->components()) {
                path += (path.empty() ? "" : "/") + nearest_name(part, TargetRules::Windows);
            }
            return path;
        };
        for (const auto &found : {broken_promise(offer->manifest, TargetRules::Windows, as_offered),
                                  broken_promise(offer->manifest, TargetRules::Windows, nearest)}) {
            broken.insert(found ? found->substr(0, found->find(':')) : "kept");
        }
    }
    EXPECT_TRUE(broken.contains("not allowed"));
    EXPECT_TRUE(broken.contains("shared"));
}

TEST(NameMapProperties, AgreesWithANaiveCheckOfDuplicatesAndConflicts) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        std::vector<ManifestEntry> entries;
        const auto clash = [&] {
            for (std::size_t a = 0; a < entries.size(); ++a) {
                for (std::size_t b = 0; b < entries.size(); ++b) {
                    const bool below = entries[b].path.starts_with(entries[a].path + '/');
                    if ((a != b && entries[a].path == entries[b].path) ||
                        (below && entries[a].kind == EntryKind::File)) {
                        return true;
                    }
                }
            }
            return false;
        };
        for (int entry = 0; entry < 6; ++entry) {
            std::string path(1, static_cast<char>('a' + random() % 3));
            for (auto depth = random() % 3; depth > 0; --depth) {
                path += std::string("/") + static_cast<char>('a' + random() % 3);
            }
            entries.push_back(random() % 2 == 0 ? offered_file(path) : offered_folder(path));
        }
        EXPECT_EQ(Offer(TargetRules::Posix, false).add(entries).has_value(), !clash());
    }
}

} // namespace
} // namespace thru
