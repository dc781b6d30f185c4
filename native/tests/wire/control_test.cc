#include "wire/control.h"

#include <gtest/gtest.h>

#include "support/vectors.h"
#include "wire/varint.h"

namespace thru {
namespace {

using test::Json;

Json to_json(const Hello &hello) {
    return {{"type", "hello"}, {"version", hello.version}, {"name", hello.name}};
}
Json to_json(const Offer &offer) {
    return {{"type", "offer"},
            {"files", offer.files},
            {"folders", offer.folders},
            {"bytes", offer.bytes}};
}
Json to_json(const Select &) { return {{"type", "select"}}; }
Json to_json(const Durable &durable) {
    return {{"type", "durable"}, {"files", durable.files}, {"bytes", durable.bytes}};
}
Json to_json(const EntryFailed &failed) {
    return {{"type", "entry-failed"}, {"index", failed.index}, {"code", error_name(failed.code)}};
}
Json to_json(const Done &done) {
    return {{"type", "done"},
            {"files", done.files},
            {"bytes", done.bytes},
            {"problems", done.problems},
            {"renamed", done.renamed}};
}
Json to_json(const Bye &bye) {
    Json json = {{"type", "bye"}};
    if (bye.code) {
        json["code"] = error_name(*bye.code);
    }
    return json;
}

/// What the decoder makes of a stream that arrives in pieces of `piece_bytes`, in the vectors'
/// form.
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

std::vector<ControlMessage> one_of_each() {
    return {Hello{1, "Ada"},
            Offer{100'000, 250, kMaxVarint},
            Select{},
            Durable{7, 8 << 20},
            EntryFailed{12, ErrorCode::DiskFull},
            Done{9, 1ULL << 40, 2, 1},
            Bye{},
            Bye{ErrorCode::Declined}};
}

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
        ASSERT_LT(bytes[1], 64) << "type and length are one byte each";
        for (std::uint8_t length = 0; length < bytes[1]; ++length) {
            Bytes shortened(bytes.begin(), bytes.begin() + 2 + length);
            shortened[1] = length;
            EXPECT_EQ(decode(shortened, shortened.size()), Json({{"error", "E_PEER_PROTOCOL"}}));
        }
    }
}

TEST(Control, OwnNamesAreMadeAcceptableBeforeTheyAreSent) {
    Bytes bytes;
    encode(Hello{1, "tab\there" + std::string(100, 'x')}, bytes);
    const auto decoded = decode(bytes, bytes.size());
    EXPECT_EQ(decoded[0]["name"], "tabhere" + std::string(57, 'x'));
}

TEST(Control, AnErrorStays) {
    ControlDecoder decoder;
    decoder.feed(Bytes{1, 0});
    EXPECT_FALSE(decoder.next());
    Bytes good;
    encode(Select{}, good);
    decoder.feed(good);
    EXPECT_FALSE(decoder.next());
}

TEST(Control, AMillionSmallMessagesAreReadInOnePass) {
    Bytes stream;
    for (int count = 0; count < 1'000'000; ++count) {
        encode(Select{}, stream);
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
} // namespace thru
