// Properties that hold for the places of every manifest.
#include <map>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "names/code_points.h"
#include "names/offered_names.h"

namespace thru::test {
namespace {

/// An offered path and its place.
struct Placed {
    std::string path;
    std::string place;
};

std::string above(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

/// The property that some places violate; nullopt if they keep all.
std::optional<std::string> broken(const std::vector<Placed> &all, TargetRules rules) {
    std::map<std::string, std::string> places;
    std::map<std::string, std::string> path_of_place;
    for (const Placed &one : all) {
        if (!SafeRelPath::parse(one.place, rules)) {
            return "not safe: " + one.place;
        }
        // Checks the entry and every folder that it needs.
        std::string path = one.path;
        std::string place = one.place;
        while (!path.empty() && !place.empty()) {
            if (places.try_emplace(path, place).first->second != place) {
                return "a folder that is in two places: " + path;
            }
            const std::string shared = rules == TargetRules::Posix ? place : folded(place);
            if (path_of_place.try_emplace(shared, path).first->second != path) {
                return "two in one place: " + place;
            }
            path = above(path);
            place = above(place);
        }
        if (!path.empty() || !place.empty()) {
            return "another depth: " + one.place;
        }
    }
    return std::nullopt;
}

/// Paths made of a few names that some systems treat as equal, so that all conflicts occur.
class RandomPaths {
public:
    explicit RandomPaths(std::uint32_t seed) : random_(seed) {}

    ManifestEntry entry() {
        std::string path = name();
        for (std::uint32_t depth = random_() % 4; depth > 0; --depth) {
            path += '/' + name();
        }
        return {.kind = random_() % 3 == 0 ? EntryKind::Folder : EntryKind::File, .path = path};
    }
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(random_() % bound);
    }

private:
    std::string name() {
        static const std::vector<std::string> kNames = {"a",
                                                        "A",
                                                        "a (2)",
                                                        "A (2)",
                                                        "a?",
                                                        "a*",
                                                        "a_",
                                                        "CON",
                                                        "con",
                                                        "_con",
                                                        "NUL.x",
                                                        "a.",
                                                        "a ",
                                                        "...",
                                                        "\u00E9",
                                                        "e\u0301",
                                                        "\u00DF",
                                                        "SS",
                                                        "..namedfork",
                                                        "..NAMEDFORK",
                                                        "a.txt",
                                                        "A.TXT",
                                                        "a (2).txt",
                                                        "a\n",
                                                        "a%0A",
                                                        "A%0A (2)",
                                                        "a\\",
                                                        "a%5C",
                                                        "\xff",
                                                        "%FF",
                                                        "C:",
                                                        "C%3A",
                                                        std::string(255, '\t'),
                                                        std::string(255, 'n'),
                                                        std::string(255, 'N'),
                                                        "CON." + std::string(251, 'n')};
        return random_() % 3 == 0 ? pieced() : kNames[random_() % kNames.size()];
    }
    /// A name built from pieces that some system treats specially; not always allowed.
    std::string pieced() {
        static const std::vector<std::string> kPieces = {"a",           "A",
                                                         "b",           "CON",
                                                         "con",         "nul",
                                                         ".",           ".txt",
                                                         " ",           "?",
                                                         ":",           "_",
                                                         " (2)",        "COM1",
                                                         "\u00b9",      "\u00df",
                                                         "ss",          "\u00e9",
                                                         "e",           "\u0301",
                                                         "\u0130",      "..",
                                                         "\uff21",      "\u03a3",
                                                         "\u03c3",      "*",
                                                         ".~thru",      "\u200d",
                                                         "..namedfork", "\u0345",
                                                         "\n",          "\xe9",
                                                         "\\",          "\u202e",
                                                         "%0A",         "\u03b1",
                                                         "\ud55c",      "\u1112\u1161\u11ab"};
        std::string name;
        for (std::uint32_t pieces = 1 + below(3); pieces > 0; --pieces) {
            name += kPieces[random_() % kPieces.size()];
        }
        return name;
    }

    std::mt19937 random_;
};

TEST(NameMapProperties, EveryPlaceIsSafeAndOneEntrysOnlyAndBelowItsFolders) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        for (const TargetRules rules : kAllRules) {
            RandomPaths random(seed);
            Offer offer(rules);
            std::set<std::size_t> live;
            for (int step = 0; step < 300; ++step) {
                offer.add({random.entry()});
                const std::size_t index = offer.manifest().size() - 1;
                if (offer.extend(index, index + 1)) {
                    live.insert(index);
                }
                if (!live.empty() && random.below(8) == 0) {
                    const auto at = std::next(
                        live.begin(), random.below(static_cast<std::uint32_t>(live.size())));
                    offer.forget({{.first = *at, .count = 1}});
                    live.erase(at);
                }
            }
            std::vector<Placed> all;
            for (const std::size_t index : live) {
                all.push_back({std::string(offer.manifest().path(index)), offer.place(index)});
            }
            ASSERT_GT(all.size(), 50u);
            const auto property = broken(all, rules);
            ASSERT_FALSE(property)
                << *property << ", seed " << seed << ", rules " << static_cast<int>(rules);
        }
    }
}

TEST(NameMapProperties, HowManyEntriesComeAtOnceDoesNotMatter) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        RandomPaths random(seed);
        Offer one_by_one(TargetRules::Windows);
        Offer at_once(TargetRules::Windows);
        for (int step = 0; step < 200; ++step) {
            const ManifestEntry entry = random.entry();
            Offer trial(TargetRules::Windows);
            for (std::size_t index = 0; index < at_once.manifest().size(); ++index) {
                trial.add({at_once.manifest().entry(index)});
            }
            trial.add({entry});
            if (trial.extend()) {
                one_by_one.add({entry});
                ASSERT_TRUE(one_by_one.extend());
                at_once.add({entry});
            }
        }
        ASSERT_GT(at_once.manifest().size(), 50u);
        ASSERT_TRUE(at_once.extend());
        EXPECT_EQ(one_by_one.places(), at_once.places());
    }
}

TEST(NameMapProperties, TheCheckFindsWhatBreaksThem) {
    constexpr TargetRules kWindows = TargetRules::Windows;
    EXPECT_FALSE(broken({{"A/x", "A/x"}, {"a/x", "a (2)/x"}}, kWindows));
    EXPECT_TRUE(broken({{"CON", "CON"}}, kWindows));
    EXPECT_TRUE(broken({{"a", "a"}, {"A", "A"}}, kWindows));
    EXPECT_FALSE(broken({{"a", "a"}, {"A", "A"}}, TargetRules::Posix));
    EXPECT_TRUE(broken({{"A/x", "A/x"}, {"a/y", "a/y"}}, kWindows));
    EXPECT_TRUE(broken({{"a/x", "a/x"}, {"a/y", "b/y"}}, kWindows));
    EXPECT_TRUE(broken({{"a/x", "x"}}, kWindows));
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
        Offer offer(TargetRules::Posix);
        offer.add(entries);
        EXPECT_EQ(offer.extend().has_value(), !clash());
    }
}

} // namespace
} // namespace thru::test
