// What holds for the places of every manifest, whatever it offers.
#include <map>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "io/code_points.h"
#include "io/offered_names.h"

namespace thru {
namespace {

using test::Offer;

constexpr TargetRules kAllRules[] = {TargetRules::Posix, TargetRules::Windows, TargetRules::Macos};

/// An offered path and where it goes.
struct Placed {
    std::string path;
    std::string place;
};

std::string above(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

/// Which property some places break; nullopt when they keep all.
std::optional<std::string> broken(const std::vector<Placed> &all, TargetRules rules) {
    std::map<std::string, std::string> places;
    std::map<std::string, std::string> path_of_place;
    for (const Placed &one : all) {
        if (!SafeRelPath::parse(one.place, rules)) {
            return "not safe: " + one.place;
        }
        // The entry and every folder that it needs.
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

/// Paths made of few names that mean the same to some systems, so that all kinds of conflicts come.
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
                                                        std::string(255, 'n'),
                                                        std::string(255, 'N'),
                                                        "CON." + std::string(251, 'n')};
        return kNames[random_() % kNames.size()];
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

} // namespace
} // namespace thru
