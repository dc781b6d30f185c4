#include "wire/control.h"

#include <array>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "support/vectors.h"
#include "wire/manifest.h"
#include "wire/varint.h"

namespace thru::test {
namespace {

Json to_json(const IndexRanges &ranges) {
    Json json = Json::array();
    for (const auto &range : ranges) {
        json.push_back({range.first, range.count});
    }
    return json;
}

Json to_json(const Hello &hello) {
    Json json{{"type", "hello"},
              {"version", hello.version},
              {"name", hello.name},
              {"id", test::to_hex(hello.id)}};
    if ((hello.takes & kTakesAttributes) != 0) {
        json["attributes"] = true;
    }
    if ((hello.takes & kTakesCreationTimes) != 0) {
        json["creation_times"] = true;
    }
    if ((hello.takes & kTakesThoseOfFolders) != 0) {
        json["of_folders"] = true;
    }
    if (hello.browser) {
        json["browser"] = true;
    }
    return json;
}
Json to_json(const Offer &offer) {
    return {{"type", "offer"},
            {"files", offer.files},
            {"folders", offer.folders},
            {"links", offer.links},
            {"bytes", offer.bytes}};
}
Json to_json(const Request &select) { return {{"type", "request"}, {"end", select.end}}; }
Json to_json(const Progress &progress) {
    return {{"type", "progress"}, {"files", progress.files}, {"bytes", progress.bytes}};
}
Json to_json(const EntryFailed &failed) {
    return {{"type", "entry-failed"}, {"index", failed.index}, {"code", error_name(failed.code)}};
}
Json to_json(const Done &done) {
    return {{"type", "done"},
            {"entries", done.entries},
            {"files", done.files},
            {"bytes", done.bytes},
            {"problems", done.problems},
            {"renamed", done.renamed},
            {"identical", done.identical},
            {"identicalBytes", done.identical_bytes},
            {"uncompared", done.uncompared}};
}
Json to_json(const Bye &bye) {
    Json json = {{"type", "bye"}};
    if (bye.code) {
        json["code"] = error_name(*bye.code);
    }
    return json;
}
Json to_json(const Skip &skip) {
    constexpr std::array kWhy = {"unwanted", "present", "wanted"};
    return {{"type", "skip"},
            {"why", kWhy.at(static_cast<std::size_t>(skip.why))},
            {"ranges", to_json(skip.ranges)}};
}
Json to_json(const Have &have) {
    return {{"type", "have"},
            {"index", have.index},
            {"offset", have.offset},
            {"hash_begin", have.hash_begin},
            {"hash", test::to_hex(have.hash)},
            {"validator", test::to_hex(have.validator)}};
}
Json to_json(const Restart &restart) { return {{"type", "restart"}, {"index", restart.index}}; }
Json to_json(const Validator &validator) {
    return {{"type", "validator"},
            {"index", validator.index},
            {"validator", test::to_hex(validator.validator)}};
}
Json to_json(const Resend &resend) {
    return {{"type", "resend"},
            {"index", resend.index},
            {"offset", resend.offset},
            {"length", resend.length}};
}
Json to_json(const Hole &hole) {
    return {
        {"type", "hole"}, {"index", hole.index}, {"offset", hole.offset}, {"length", hole.length}};
}
Json to_json(const Pause &pause) {
    constexpr std::array kWhy = {"person", "disk-full"};
    return {{"type", "pause"},
            {"why", kWhy.at(static_cast<std::size_t>(pause.why))},
            {"need", pause.need}};
}
Json to_json(const Resume &) { return {{"type", "resume"}}; }
Json to_json(const Removed &removed) {
    return {{"type", "removed"}, {"ranges", to_json(removed.ranges)}};
}
Json to_json(const Prioritize &prioritize) {
    return {{"type", "prioritize"}, {"ranges", to_json(prioritize.ranges)}};
}
Json to_json(const Rate &rate) {
    return {{"type", "rate"}, {"bytes_per_second", rate.bytes_per_second}};
}
Json to_json(const Confirm &confirm) {
    Json different = Json::array();
    for (const ByteRange &range : confirm.different) {
        different.push_back({{"offset", range.offset}, {"length", range.length}});
    }
    Json json = {{"type", "confirm"}, {"index", confirm.index}, {"different", different}};
    if (confirm.more) {
        json["more"] = true;
    }
    return json;
}

Json to_json(const ContactRequest &request) {
    return {{"type", "contact-request"},
            {"public_key", test::to_hex(request.public_key)},
            {"signature", test::to_hex(request.signature)}};
}

Json to_json(const Origin &origin) {
    return {{"type", "origin"},
            {"public_key", test::to_hex(origin.public_key)},
            {"signature", test::to_hex(origin.signature)}};
}

Json to_json(const LeftOut &left_out) {
    Json reasons = Json::array();
    for (const LeftOutReason &reason : left_out.reasons) {
        Json paths = Json::array();
        for (const std::string &path : reason.paths) {
            paths.push_back(test::to_hex(as_bytes(path)));
        }
        reasons.push_back(
            {{"code", error_name(reason.code)}, {"entries", reason.entries}, {"paths_hex", paths}});
    }
    return {{"type", "left-out"}, {"reasons", reasons}};
}

Json to_json(const ApprovalRequested &) { return {{"type", "approval-requested"}}; }
Json to_json(const Background &background) {
    return {{"type", "background"}, {"enabled", background.enabled == Background::Enabled::Yes}};
}
Json to_json(const FindPath &find) {
    return {{"type", "find-path"}, {"search", find.search}, {"candidates", find.candidates}};
}
Json to_json(const Compare &compare) {
    return {{"type", "compare"}, {"index", compare.index}, {"offset", compare.offset}};
}
Json to_json(const Prefetch &prefetch) { return {{"type", "prefetch"}, {"bytes", prefetch.bytes}}; }
Json to_json(const Follow &) { return {{"type", "follow"}}; }
Json to_json(const Compress &) { return {{"type", "compress"}}; }
Json to_json(const HardLinks &message) {
    Json links = Json::array();
    for (const HardLink &link : message.links) {
        links.push_back({{"index", link.index}, {"first", link.first}});
    }
    return {{"type", "hard-links"}, {"links", links}};
}
Json to_json(const FileAttributes &file) {
    Json attributes = Json::array();
    for (const ExtendedAttribute &attribute : file.attributes) {
        attributes.push_back(
            {{"name", attribute.name}, {"value", test::to_hex(as_bytes(attribute.value))}});
    }
    return {{"type", "attributes"}, {"index", file.index}, {"attributes", attributes}};
}
Json to_json(const CreationTimes &times) {
    Json files = Json::array();
    for (const CreationTime &file : times.files) {
        files.push_back({{"index", file.index}, {"ns", file.ns}});
    }
    return {{"type", "creation-times"}, {"files", files}};
}
Json to_json(const ChunkLists &) { return {{"type", "chunk-lists"}}; }
Json to_json(const ListChunks &list) { return {{"type", "list-chunks"}, {"index", list.index}}; }
Json to_json(const std::vector<Extents::Run> &runs) {
    Json json = Json::array();
    for (const Extents::Run &run : runs) {
        json.push_back({{"length", run.length}, {"hash", test::to_hex(run.hash)}});
    }
    return json;
}
Json to_json(const Chunks &chunks) {
    return {{"type", "chunks"},
            {"index", chunks.index},
            {"offset", chunks.offset},
            {"validator", test::to_hex(chunks.validator)},
            {"runs", to_json(chunks.runs)}};
}
Json range_to_json(const char *type, std::uint64_t index, const ByteRange &range) {
    return {{"type", type}, {"index", index}, {"offset", range.offset}, {"length", range.length}};
}
Json to_json(const ListBlocks &list) {
    return range_to_json("list-blocks", list.index, list.range);
}
Json to_json(const FileBlocks &blocks) {
    Json hashes = Json::array();
    for (const ShortHash &hash : blocks.hashes) {
        hashes.push_back(test::to_hex(hash));
    }
    return {
        {"type", "blocks"}, {"index", blocks.index}, {"offset", blocks.offset}, {"hashes", hashes}};
}
Json to_json(const Fetch &fetch) { return range_to_json("fetch", fetch.index, fetch.range); }
Json to_json(const Fetched &fetched) {
    return {{"type", "fetched"},
            {"index", fetched.index},
            {"offset", fetched.offset},
            {"bytes", test::to_hex(as_bytes(fetched.bytes))}};
}
Json to_json(const Extents &extents) {
    Json json = {{"type", "extents"},
                 {"index", extents.index},
                 {"offset", extents.offset},
                 {"runs", to_json(extents.runs)}};
    if (extents.takes_parts) {
        json["takes_parts"] = true;
    }
    return json;
}

/// The decoded form, as in the vectors, of a stream that arrives in pieces of `piece_bytes`.
Json decode(ByteView stream, std::size_t piece_bytes) {
    ControlDecoder decoder;
    Json messages = Json::array();
    while (true) {
        const auto message = decoder.next();
        if (!message) {
            return {{"error", error_name(message.error().code)}};
        }
        if (*message) {
            messages.push_back(std::visit([](const auto &m) { return to_json(m); }, **message));
        } else if (stream.empty()) {
            return messages;
        } else {
            const auto piece = stream.first(std::min(piece_bytes, stream.size()));
            decoder.feed(piece);
            stream = stream.subspan(piece.size());
        }
    }
}

template <std::size_t Size> std::array<std::uint8_t, Size> bytes_from(std::uint8_t first) {
    std::array<std::uint8_t, Size> bytes{};
    std::iota(bytes.begin(), bytes.end(), first);
    return bytes;
}

std::vector<ControlMessage> one_of_each() {
    const IndexRanges ranges = {{0, 3}, {4, 1}, {999'998, 2}};
    return {Hello{1, "Ada", bytes_from<16>(1)},
            Offer{100'000, 250, 7, kMaxVarint},
            Request{kMaxManifestEntries},
            Progress{7, 8 << 20},
            EntryFailed{12, ErrorCode::DiskFull},
            Done{12, 9, 1ULL << 40, 2, 1, 4, 1ULL << 32, 3},
            Bye{},
            Bye{ErrorCode::Declined},
            Skip{Skip::Why::Unwanted, ranges},
            Skip{Skip::Why::Present, {{5, 1}}},
            Skip{Skip::Why::Wanted, ranges},
            Have{3, kMaxTotalBytes, 0, bytes_from<kSegmentHashBytes>(32), bytes_from<16>(64)},
            Restart{900'000},
            Validator{1, bytes_from<16>(100)},
            Resend{1, 0, 0},
            Resend{1, 1, kMaxTotalBytes - 1},
            Hole{2, 4096, 1ULL << 40},
            Pause{Pause::Why::Person, 0},
            Pause{Pause::Why::DiskFull, 1ULL << 33},
            Resume{},
            Removed{ranges},
            Prioritize{ranges},
            Rate{1'250'000},
            Confirm{3},
            Confirm{3, {{0, 5}, {5, 1}, {9, kMaxTotalBytes - 9}}},
            ContactRequest{bytes_from<32>(1), bytes_from<64>(2)},
            Origin{bytes_from<32>(3), bytes_from<64>(4)},
            LeftOut{},
            LeftOut{{{ErrorCode::LinkOutside, 12, {"a/b", "caf\xe9\n"}},
                     {ErrorCode::PathUnreadable, 1, {}}}},
            ApprovalRequested{},
            Background{Background::Enabled::No},
            Background{Background::Enabled::Yes},
            FindPath{},
            FindPath{65'535, {"candidate:1 1 UDP 1 192.0.2.1 9999 typ host", "x"}},
            Compare{3, kMaxTotalBytes},
            Extents{},
            Extents{3, 9, {{kSegmentBytes, bytes_from<16>(5)}, {kSegmentBytes + 1, {}}}},
            Prefetch{8 << 20},
            Follow{},
            Compress{},
            HardLinks{{{1, 0}, {7, 2}, {kMaxManifestEntries - 1, 0}}},
            ChunkLists{},
            ListChunks{7},
            Chunks{.index = 7, .offset = 5, .validator = {1}, .runs = {{8192, {2}}}},
            FileAttributes{kMaxManifestEntries - 1, {{"a", std::string(1, '\0')}, {"b", "c"}}},
            CreationTimes{{{0, std::numeric_limits<std::int64_t>::min()},
                           {kMaxManifestEntries - 1, std::numeric_limits<std::int64_t>::max()}}},
            ListBlocks{7, {.offset = 8192, .length = kMaxBlocks * kFileBlockBytes}},
            FileBlocks{7, 8192, {}},
            FileBlocks{7, 8192, {bytes_from<16>(5), bytes_from<16>(6)}},
            Fetch{7, {.offset = 8192, .length = kMaxTotalBytes - 8192}},
            Fetched{7, 5, std::string(kMaxFetchedBytes, '\0')},
            Fetched{7, 5, {}}};
}

const Json kRefused = {{"error", "E_PEER_PROTOCOL"}};

TEST(Control, AgreesWithTheVectorsWhateverThePieces) {
    for (const auto &vector : test::read_vectors("control")) {
        SCOPED_TRACE(vector["name"]);
        const auto bytes = test::bytes_of(vector);
        const auto error = test::expected_error(vector);
        const auto expected = error.empty() ? vector["expect"]["messages"] : vector["expect"];
        for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{7}, bytes.size() + 1}) {
            EXPECT_EQ(decode(bytes, piece_bytes), expected);
        }
    }
}

TEST(Control, EveryTypeOfMessageIsTested) {
    std::set<std::size_t> types;
    for (const auto &message : one_of_each()) {
        types.insert(message.index());
    }
    EXPECT_EQ(types.size(), std::variant_size_v<ControlMessage>);
}

TEST(Control, EveryMessageComesBack) {
    Bytes stream;
    Json expected = Json::array();
    for (const auto &message : one_of_each()) {
        encode(message, stream);
        expected.push_back(std::visit([](const auto &m) { return to_json(m); }, message));
    }
    EXPECT_EQ(decode(stream, stream.size()), expected);
    EXPECT_EQ(decode(stream, 1), expected);
}

TEST(Control, FieldsThatMayBeAbsentComeBack) {
    Bytes stream;
    encode(Confirm{3, {{0, 5}}, true}, stream);
    encode(Extents{.index = 4, .takes_parts = true}, stream);
    encode(Hello{.takes = kTakesAttributes}, stream);
    const Json expected = {{{"type", "confirm"},
                            {"index", 3},
                            {"different", {{{"offset", 0}, {"length", 5}}}},
                            {"more", true}},
                           {{"type", "extents"},
                            {"index", 4},
                            {"offset", 0},
                            {"runs", Json::array()},
                            {"takes_parts", true}},
                           {{"type", "hello"},
                            {"version", 1},
                            {"name", ""},
                            {"id", std::string(32, '0')},
                            {"attributes", true}}};
    EXPECT_EQ(decode(stream, stream.size()), expected);
}

TEST(Control, TheMostAttributesOfAFileFitAMessage) {
    FileAttributes most{kMaxManifestEntries - 1, {}};
    std::size_t left = kMaxFileAttributeBytes;
    for (char number = 0; most.attributes.size() + 1 < kMaxFileAttributes; ++number) {
        most.attributes.push_back(
            {std::string(kMaxAttributeNameBytes - 1, 'a') + static_cast<char>('!' + number),
             std::string(64, 'b')});
        left -= kMaxAttributeNameBytes + 64;
    }
    most.attributes.push_back({"b", std::string(left - 1, 'c')});
    Bytes stream;
    encode(most, stream);
    EXPECT_EQ(decode(stream, stream.size()), Json::array({to_json(most)}));
}

TEST(Control, AMessageCutAnywhereWaits) {
    for (const auto &message : one_of_each()) {
        Bytes bytes;
        encode(message, bytes);
        for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
            EXPECT_EQ(decode(ByteView{bytes}.first(cut), bytes.size()), Json::array()) << cut;
        }
    }
}

TEST(Control, APayloadShortenedAnywhereIsRefused) {
    for (const auto &message : one_of_each()) {
        Bytes bytes;
        encode(message, bytes);
        ByteReader reader{ByteView{bytes}.subspan(1)};
        const auto whole = *take_varint(reader);
        const auto payload = ByteView{bytes}.last(static_cast<std::size_t>(whole));
        for (std::size_t length = 0; length < payload.size(); ++length) {
            Bytes shortened{bytes.front()};
            append_varint(shortened, length);
            append_bytes(shortened, payload.first(length));
            EXPECT_EQ(decode(shortened, shortened.size()), kRefused);
        }
    }
}

TEST(Control, AsManyRangesAsMayBeFitAndOneMoreIsRefused) {
    IndexRanges ranges;
    for (std::uint64_t range = 0; range < kMaxIndexRanges; ++range) {
        ranges.push_back({.first = 100'000 + 100 * range, .count = 99});
    }
    Bytes bytes;
    encode(Skip{Skip::Why::Present, ranges}, bytes);
    const auto decoded = decode(bytes, bytes.size());
    ASSERT_EQ(decoded.size(), 1U);
    EXPECT_EQ(decoded[0]["ranges"], to_json(ranges));

    Bytes payload;
    append_varint(payload, kMaxIndexRanges + 1);
    for (std::uint64_t number = 0; number < 2 * (kMaxIndexRanges + 1); ++number) {
        append_varint(payload, 1);
    }
    constexpr std::uint64_t kFirst = 17;
    Bytes one_more;
    append_varint(one_more, kFirst);
    append_varint(one_more, payload.size());
    append_bytes(one_more, payload);
    EXPECT_EQ(decode(one_more, one_more.size()), kRefused);
}

TEST(Control, RandomSetsOfIndexesComeBack) {
    std::mt19937_64 random{20260105};
    for (int round = 0; round < 200; ++round) {
        IndexRanges ranges;
        std::uint64_t members = 0;
        const auto step = 1 + random() % 5'000;
        for (std::uint64_t index = random() % 10; index < kMaxManifestEntries && members < 500;
             index += 1 + random() % step) {
            append_index(ranges, index);
            ++members;
        }
        EXPECT_EQ(count_of(ranges), members);
        Bytes bytes;
        encode(Removed{ranges}, bytes);
        EXPECT_EQ(decode(bytes, 1 + random() % 100)[0]["ranges"], to_json(ranges));
    }
}

TEST(Control, OwnNamesAreMadeAcceptableBeforeTheyAreSent) {
    Bytes bytes;
    encode(Hello{1, "tab\there" + std::string(100, 'x'), {}}, bytes);
    const auto decoded = decode(bytes, bytes.size());
    EXPECT_EQ(decoded[0]["name"], "tabhere" + std::string(57, 'x'));
}

TEST(Control, AnErrorStays) {
    ControlDecoder decoder;
    decoder.feed(Bytes{1, 0});
    EXPECT_FALSE(decoder.next());
    Bytes good;
    encode(Request{}, good);
    decoder.feed(good);
    EXPECT_FALSE(decoder.next());
}

TEST(Control, AMillionSmallMessagesAreReadInOnePass) {
    Bytes stream;
    for (int count = 0; count < 1'000'000; ++count) {
        encode(Request{}, stream);
    }
    ControlDecoder decoder;
    decoder.feed(stream);
    int messages = 0;
    while (decoder.next().value()) {
        ++messages;
    }
    EXPECT_EQ(messages, 1'000'000);
}

} // namespace
} // namespace thru::test
