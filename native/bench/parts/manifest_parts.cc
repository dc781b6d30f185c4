#include <algorithm>
#include <utility>

#include "parts/part.h"
#include "parts/texts.h"
#include "wire/manifest.h"

namespace thru::bench {

namespace {

/// Approximate bytes that the sender encodes between two turns of the connection.
constexpr std::size_t kEncodedAtOnce = 256 * 1024;
/// Bytes that the receiver decodes at a time.
constexpr std::size_t kDecodedAtOnce = 64 * 1024;

Bytes encoded(const ManifestTable &manifest) {
    Bytes whole;
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        encoder.add(manifest.entry(index), whole);
    }
    encoder.checkpoint(whole);
    return whole;
}

void encode_in_parts(const ManifestTable &manifest) {
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest.size();) {
        Bytes out;
        for (; index < manifest.size() && out.size() < kEncodedAtOnce; ++index) {
            encoder.add(manifest.entry(index), out);
        }
        use(out.data());
    }
}

void decode_in_parts(ByteView bytes, std::size_t count) {
    ManifestDecoder decoder;
    ManifestTable manifest;
    std::vector<ManifestEntry> entries;
    while (!bytes.empty()) {
        const auto some = bytes.first(std::min(bytes.size(), kDecodedAtOnce));
        bytes = bytes.subspan(some.size());
        entries.clear();
        demand(decoder.feed(some, entries).has_value(), "A manifest is not decoded");
        for (const ManifestEntry &entry : entries) {
            demand(manifest.add(entry).has_value(), "A manifest is too large");
        }
    }
    demand(manifest.size() == count && decoder.checkpoint() == count, "A manifest is not whole");
}

Ready prepare_encode(std::uint64_t amount) {
    auto paths = sample_paths(amount);
    const auto manifest = sample_manifest(paths);
    return {.amount = amount,
            .run = [manifest] { return timed([&] { encode_in_parts(*manifest); }); },
            .limit = copies_of(std::move(paths))};
}

Ready prepare_decode(std::uint64_t amount) {
    auto paths = sample_paths(amount);
    return {.amount = amount,
            .run = [bytes = encoded(*sample_manifest(paths)),
                    amount] { return timed([&] { decode_in_parts(bytes, amount); }); },
            .limit = copies_of(std::move(paths))};
}

constexpr std::uint64_t kManifestEntries = 1'000'000;

} // namespace

const Part kManifestEncode{.name = "manifest-encode",
                           .what = "a manifest from the sender's table to bytes",
                           .unit = "entries",
                           .limit = "a copy of each path",
                           .amount = kManifestEntries,
                           .prepare = prepare_encode};
const Part kManifestDecode{.name = "manifest-decode",
                           .what = "a manifest from bytes to the receiver's table",
                           .unit = "entries",
                           .limit = "a copy of each path",
                           .amount = kManifestEntries,
                           .prepare = prepare_decode};

} // namespace thru::bench
