#include "wire/manifest.h"

#include <chrono>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "support/vectors.h"
#include "wire/varint.h"

namespace thru::test {
namespace {

/// Names that are not UTF-8 are hexadecimal in the vectors, under another key.
void set_name(Json &json, const std::string &key, const std::string &name) {
    if (is_utf8(name)) {
        json[key] = name;
    } else {
        json[key + "_hex"] = test::to_hex(as_bytes(name));
    }
}

Json to_json(const ManifestEntry &entry) {
    switch (entry.kind) {
    case EntryKind::Gone:
        return {{"kind", "gone"}};
    case EntryKind::Link: {
        Json json = {{"kind", "link"}, {"mtime_ns", entry.mtime_ns}};
        set_name(json, "path", entry.path);
        set_name(json, "target", entry.target);
        return json;
    }
    default:
        break;
    }
    Json json = {{"kind", entry.kind == EntryKind::File ? "file" : "folder"},
                 {"size", entry.size},
                 {"mtime_ns", entry.mtime_ns},
                 {"executable", entry.executable}};
    set_name(json, "path", entry.path);
    for (const auto &[name, is_set] :
         {std::pair{"text", entry.text}, std::pair{"sparse", entry.sparse},
          std::pair{"stream", entry.stream}}) {
        if (is_set) {
            json[name] = true;
        }
    }
    return json;
}

Json to_json(const std::vector<ManifestEntry> &entries) {
    Json json = Json::array();
    for (const auto &entry : entries) {
        json.push_back(to_json(entry));
    }
    return json;
}

Json to_json(const std::optional<std::uint64_t> &checkpoint) {
    return checkpoint ? Json(*checkpoint) : Json();
}

struct Decoded {
    std::vector<ManifestEntry> entries;
    std::optional<std::uint64_t> checkpoint;
    std::string error;
};

Decoded decode_pieces(ByteView stream, std::size_t piece_bytes) {
    ManifestDecoder decoder;
    Decoded decoded;
    while (!stream.empty()) {
        const auto piece = stream.first(std::min(piece_bytes, stream.size()));
        if (const auto fed = decoder.feed(piece, decoded.entries); !fed) {
            decoded.error = error_name(fed.error().code);
            return decoded;
        }
        stream = stream.subspan(piece.size());
    }
    decoded.checkpoint = decoder.checkpoint();
    return decoded;
}

Bytes encode(const std::vector<ManifestEntry> &entries) {
    ManifestEncoder encoder;
    Bytes bytes;
    for (const auto &entry : entries) {
        encoder.add(entry, bytes);
    }
    encoder.checkpoint(bytes);
    return bytes;
}

ManifestEntry file_of(std::string path, std::uint64_t size = 1, std::int64_t mtime_ns = 0) {
    return {.path = std::move(path), .size = size, .mtime_ns = mtime_ns};
}

ManifestEntry link_entry(std::string path, std::string target) {
    return {.kind = EntryKind::Link, .path = std::move(path), .target = std::move(target)};
}

const ManifestEntry kGone = {.kind = EntryKind::Gone};

/// One entry of every kind.
std::vector<ManifestEntry> entry_of_each_kind() {
    auto executable = file_of("share/run.sh", 900, 3);
    executable.executable = true;
    auto text = file_of("note.txt", 12);
    text.text = true;
    auto sparse = file_of("share/disk.img", 1ULL << 40, -5);
    sparse.sparse = true;
    return {{.kind = EntryKind::Folder, .path = "share"},
            executable,
            link_entry("share/latest", "run.sh"),
            kGone,
            kGone,
            sparse,
            text};
}

/// A tree in the order of a scan: parents first, siblings together.
std::vector<ManifestEntry> random_tree(std::mt19937_64 &random, std::size_t count) {
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    std::vector<std::string> folders = {"share"};
    std::vector<ManifestEntry> entries;
    for (std::size_t number = 0; number < count; ++number) {
        auto path = folders[below(folders.size())] + "/" + (below(3) > 0 ? "file" : "Grüße ");
        path += std::to_string(number);
        const bool folder = below(10) == 0 && path.size() < 1000;
        if (folder) {
            folders.push_back(path);
        }
        const auto mtime = static_cast<std::int64_t>(random() >> below(64));
        if (below(20) == 0) {
            entries.insert(entries.end(), 1 + below(3), kGone);
            continue;
        }
        if (!folder && below(10) == 0) {
            entries.push_back(link_entry(std::move(path), "../" + std::to_string(number)));
            continue;
        }
        entries.push_back({.kind = folder ? EntryKind::Folder : EntryKind::File,
                           .executable = !folder && below(5) == 0,
                           .path = std::move(path),
                           .size = folder ? 0 : random() >> (24 + below(40)),
                           .mtime_ns = below(2) == 0 ? mtime : -mtime});
    }
    return entries;
}

TEST(Manifest, AgreesWithTheVectorsWhateverThePieces) {
    for (const auto &vector : test::read_vectors("manifest")) {
        SCOPED_TRACE(vector["name"]);
        const auto bytes = test::bytes_of(vector);
        for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{5}, bytes.size() + 1}) {
            const auto decoded = decode_pieces(bytes, piece_bytes);
            EXPECT_EQ(decoded.error, test::expected_error(vector));
            if (decoded.error.empty()) {
                EXPECT_EQ(to_json(decoded.entries), vector["expect"]["entries"]);
                EXPECT_EQ(to_json(decoded.checkpoint), vector["expect"]["checkpoint"]);
            }
        }
    }
}

TEST(Manifest, EncodesTheVectorsThatAreInShortestForm) {
    for (const auto &vector : test::read_vectors("manifest")) {
        const auto bytes = test::bytes_of(vector);
        const auto decoded = decode_pieces(bytes, bytes.size());
        const auto name = vector["name"].get<std::string>();
        const bool one_checkpoint =
            decoded.checkpoint == decoded.entries.size() && !name.contains("checkpoint");
        if (one_checkpoint && !name.contains("longer") && !name.contains("may be whole") &&
            !name.contains("need not be joined")) {
            EXPECT_EQ(encode(decoded.entries), bytes) << name;
        }
    }
}

TEST(Manifest, EveryKindOfEntryComesBack) {
    const auto entries = entry_of_each_kind();
    const auto bytes = encode(entries);
    for (const std::size_t piece_bytes : {std::size_t{1}, bytes.size()}) {
        const auto decoded = decode_pieces(bytes, piece_bytes);
        EXPECT_EQ(decoded.error, "");
        EXPECT_EQ(decoded.entries, entries);
        EXPECT_EQ(decoded.checkpoint, entries.size());
    }
}

TEST(Manifest, RandomTreesComeBackInRandomPieces) {
    std::mt19937_64 random{20260102};
    for (int round = 0; round < 50; ++round) {
        const auto entries = random_tree(random, 1 + random() % 400);
        const auto bytes = encode(entries);
        const auto decoded = decode_pieces(bytes, 1 + random() % 300);
        EXPECT_EQ(decoded.error, "");
        EXPECT_EQ(decoded.checkpoint, entries.size());
        EXPECT_EQ(decoded.entries, entries);
    }
}

TEST(Manifest, EntriesMayFollowEveryCheckpoint) {
    std::mt19937_64 random{20260106};
    const auto entries = random_tree(random, 200);
    ManifestEncoder encoder;
    ManifestDecoder decoder;
    std::vector<ManifestEntry> decoded;
    EXPECT_EQ(decoder.checkpoint(), std::nullopt);
    for (std::size_t index = 0; index < entries.size(); ++index) {
        Bytes bytes;
        encoder.add(entries[index], bytes);
        if (index % 3 == 0) {
            encoder.checkpoint(bytes);
        }
        ASSERT_TRUE(decoder.feed(bytes, decoded));
        EXPECT_EQ(decoder.checkpoint(), index / 3 * 3 + 1);
    }
    Bytes bytes;
    encoder.checkpoint(bytes);
    ASSERT_TRUE(decoder.feed(bytes, decoded));
    EXPECT_EQ(decoder.checkpoint(), entries.size());
    EXPECT_EQ(decoded, entries);
}

TEST(Manifest, ARunOfGoneEntriesIsAFewBytes) {
    std::vector<ManifestEntry> entries(3 * kMaxGapEntries + 5, kGone);
    entries.push_back(file_of("last"));
    const auto bytes = encode(entries);
    EXPECT_LT(bytes.size(), 32U);
    EXPECT_EQ(decode_pieces(bytes, 1).entries, entries);
}

TEST(Manifest, AsManyGoneEntriesAsItHoldsAreReadAndOneMoreIsRefused) {
    ManifestEncoder encoder;
    Bytes bytes;
    for (std::uint64_t count = 0; count < kMaxManifestEntries; ++count) {
        encoder.add(kGone, bytes);
    }
    encoder.checkpoint(bytes);
    EXPECT_EQ(decode_pieces(bytes, 7).checkpoint, kMaxManifestEntries);
    encoder.add(kGone, bytes);
    encoder.checkpoint(bytes);
    EXPECT_EQ(decode_pieces(bytes, 7).error, "E_LIMIT_EXCEEDED");
}

TEST(Manifest, TenThousandCheckpointsAreReadAndOneMoreIsRefused) {
    ManifestEncoder encoder;
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    const auto checkpoint = [&] {
        Bytes bytes;
        encoder.add({.path = "a"}, bytes);
        encoder.checkpoint(bytes);
        return decoder.feed(bytes, entries);
    };
    for (std::uint64_t checkpoints = 0; checkpoints < kMaxCheckpoints; ++checkpoints) {
        ASSERT_TRUE(checkpoint());
    }
    EXPECT_EQ(checkpoint().error().code, ErrorCode::LimitExceeded);
}

TEST(Manifest, SixteenMebibytesOfTextsAreReadAndOneByteMoreIsRefused) {
    ManifestEncoder encoder;
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    const auto text = [&](std::uint64_t size) {
        Bytes bytes;
        encoder.add({.text = true, .path = "a", .size = size}, bytes);
        return decoder.feed(bytes, entries);
    };
    for (std::uint64_t bytes = 0; bytes < kMaxTextsBytes; bytes += kMaxTextBytes) {
        ASSERT_TRUE(text(kMaxTextBytes));
    }
    EXPECT_TRUE(text(0));
    EXPECT_EQ(text(1).error().code, ErrorCode::LimitExceeded);
}

TEST(Manifest, EveryPairOfTimesComesBack) {
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> times = {
        kLeast, kLeast + 1,      -(1LL << 61) - 1, -(1LL << 61), -1,   0,
        1,      (1LL << 61) - 1, 1LL << 61,        kMost - 1,    kMost};
    for (const auto first : times) {
        for (const auto second : times) {
            const std::vector<ManifestEntry> entries = {file_of("a", 1, first),
                                                        file_of("b", 1, second)};
            const auto bytes = encode(entries);
            EXPECT_EQ(decode_pieces(bytes, bytes.size()).entries, entries)
                << first << " " << second;
        }
    }
}

TEST(Manifest, CutAnywhereItHasNoCheckpoint) {
    std::mt19937_64 random{20260103};
    auto entries = random_tree(random, 40);
    for (auto &entry : entry_of_each_kind()) {
        entries.push_back(std::move(entry));
    }
    const auto bytes = encode(entries);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        const auto decoded = decode_pieces(ByteView{bytes}.first(cut), bytes.size());
        EXPECT_EQ(decoded.error, "") << cut;
        EXPECT_EQ(decoded.checkpoint, std::nullopt) << cut;
        EXPECT_LE(decoded.entries.size(), entries.size());
    }
}

TEST(Manifest, AsManyEntriesAsItHoldsAreReadAndOneMoreIsRefused) {
    ManifestEncoder encoder;
    Bytes bytes;
    for (std::uint64_t number = 0; number < kMaxManifestEntries; ++number) {
        encoder.add(file_of("data set/part " + std::to_string(number / 1000) + "/sample-" +
                                std::to_string(number) + ".bin",
                            6000, static_cast<std::int64_t>(1'763'700'000'000'000'000 + number)),
                    bytes);
    }
    constexpr std::size_t kPieceBytes = 64 * 1024;
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    const auto begin = std::chrono::steady_clock::now();
    for (ByteView rest = bytes; !rest.empty();) {
        const auto piece = rest.first(std::min(kPieceBytes, rest.size()));
        entries.clear();
        ASSERT_TRUE(decoder.feed(piece, entries));
        rest = rest.subspan(piece.size());
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    RecordProperty("microseconds_for_all_entries", static_cast<int>(seconds.count() * 1e6));
    RecordProperty("encoded_bytes", static_cast<int>(bytes.size()));

    Bytes one_more;
    encoder.add(file_of("one more"), one_more);
    const auto refused = decoder.feed(one_more, entries);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
}

TEST(Manifest, ManyLongPathsFromFewBytesAreRefused) {
    // Each entry repeats all but one byte of the previous path: gigabytes, if it were accepted.
    std::string path;
    while (path.size() + kMaxComponentBytes + 1 < kMaxPathBytes) {
        path += std::string(kMaxComponentBytes, 'x') + "/";
    }
    ManifestEncoder encoder;
    Bytes bytes;
    for (std::uint64_t count = 0; count < kMaxManifestPathBytes / (path.size() + 1); ++count) {
        encoder.add(file_of(path + (count % 2 == 0 ? "a" : "b")), bytes);
    }
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    for (const auto &byte : bytes) {
        ASSERT_TRUE(decoder.feed({&byte, 1}, entries));
        entries.clear();
    }
    Bytes one_more;
    encoder.add(file_of(path + "c"), one_more);
    const auto refused = decoder.feed(one_more, entries);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
}

TEST(Manifest, TargetsOfLinksCountAsPathsDo) {
    const std::string target(kMaxPathBytes, 'x');
    ManifestEncoder encoder;
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    for (std::uint64_t left = kMaxManifestPathBytes; left >= kMaxPathBytes + 1;
         left -= kMaxPathBytes + 1) {
        Bytes bytes;
        encoder.add(link_entry("l", target), bytes);
        ASSERT_TRUE(decoder.feed(bytes, entries));
        entries.clear();
    }
    Bytes one_more;
    encoder.add(link_entry("l", target), one_more);
    const auto refused = decoder.feed(one_more, entries);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
}

TEST(Manifest, MoreThan256MebibytesAreRefused) {
    ManifestDecoder decoder;
    std::vector<ManifestEntry> entries;
    const auto refused = decoder.feed(Bytes(kMaxManifestBytes + 1), entries);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(entries.empty());
}

} // namespace
} // namespace thru::test
