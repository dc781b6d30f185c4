#include <string>
#include <unordered_set>
#include <utility>

#include "names/name_map.h"
#include "names/safe_rel_path.h"
#include "parts/part.h"
#include "parts/texts.h"

namespace thru::bench {

namespace {

constexpr std::uint64_t kNamedEntries = 1'000'000;

/// Finds the place of every entry, as in the preparation of a receive.
void place_all(const ManifestTable &manifest, const ReceiveOptions &options) {
    NameMap names(options);
    demand(names.extend(manifest, 0, manifest.size()).has_value(), "A manifest has no names");
    std::size_t bytes = 0;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        bytes += names.place(manifest, index).text().size();
    }
    demand(bytes > manifest.size(), "Entries have no places");
}

Ready prepare_names_by(std::uint64_t amount, bool portable) {
    const auto paths = std::make_shared<const std::vector<std::string>>(sample_paths(amount));
    return {.amount = amount,
            .run =
                [manifest = sample_manifest(*paths), portable] {
                    return timed([&] { place_all(*manifest, {.portable_names = portable}); });
                },
            .limit =
                [paths] {
                    return timed([&] {
                        std::unordered_set<std::string> seen;
                        for (const std::string &path : *paths) {
                            seen.insert(path);
                        }
                        demand(seen.size() == paths->size(), "A path comes twice");
                    });
                }};
}

Ready prepare_names(std::uint64_t amount) { return prepare_names_by(amount, false); }
Ready prepare_portable_names(std::uint64_t amount) { return prepare_names_by(amount, true); }

Ready prepare_paths(std::uint64_t amount) {
    auto paths = sample_paths(amount);
    return {.amount = amount,
            .run =
                [paths] {
                    return timed([&] {
                        for (const std::string &path : paths) {
                            const auto safe = SafeRelPath::parse(path);
                            demand(check_offered_path(path) && safe, "A path is refused");
                            use(safe->text().data());
                        }
                    });
                },
            .limit = copies_of(std::move(paths))};
}

} // namespace

const Part kNames{.name = "names",
                  .what = "the place of each entry, by this system's rules",
                  .unit = "entries",
                  .limit = "each path into a hash set",
                  .amount = kNamedEntries,
                  .prepare = prepare_names};
const Part kPortableNames{.name = "portable-names",
                          .what = "the same by the rules of all systems",
                          .unit = "entries",
                          .limit = "each path into a hash set",
                          .amount = kNamedEntries,
                          .prepare = prepare_portable_names};
const Part kPaths{.name = "paths",
                  .what = "whether a path may be offered, and written",
                  .unit = "paths",
                  .limit = "a copy of each",
                  .amount = kNamedEntries,
                  .prepare = prepare_paths};

} // namespace thru::bench
