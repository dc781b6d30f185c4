#include "parts/texts.h"

#include <cstring>
#include <utility>

namespace thru::bench {

std::vector<std::string> sample_paths(std::uint64_t count) {
    constexpr std::uint64_t kInFolder = 100;
    std::vector<std::string> paths;
    paths.reserve(count);
    for (std::uint64_t index = 0; index < count; ++index) {
        paths.push_back("photos/2024/summer/day-" + std::to_string(index / kInFolder) + "/IMG_" +
                        std::to_string(index) + ".jpg");
    }
    return paths;
}

std::shared_ptr<ManifestTable> sample_manifest(const std::vector<std::string> &paths) {
    constexpr std::uint64_t kMinBytes = 6'000;
    constexpr std::int64_t kSecondsApart = 7;
    auto manifest = std::make_shared<ManifestTable>();
    std::int64_t mtime_ns = 1'700'000'000'000'000'000;
    for (const std::string &path : paths) {
        mtime_ns += kSecondsApart * 1'000'000'000;
        demand(manifest
                   ->add({.kind = EntryKind::File,
                          .path = path,
                          .size = kMinBytes + path.size(),
                          .mtime_ns = mtime_ns})
                   .has_value(),
               "The manifest has no room for what is measured");
    }
    return manifest;
}

std::function<Took()> copies_of(std::vector<std::string> texts) {
    std::size_t bytes = 0;
    for (const std::string &text : texts) {
        bytes += text.size();
    }
    const auto copies = std::make_shared<Bytes>(bytes);
    return [texts = std::move(texts), copies] {
        return timed([&] {
            std::uint8_t *to = copies->data();
            for (const std::string &text : texts) {
                std::memcpy(to, text.data(), text.size());
                to += text.size();
            }
            use(copies->data());
        });
    };
}

} // namespace thru::bench
