// The fuzzers' functions in every test run: with the vectors and thousands of mutations.
#include "fuzz/targets.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "crypto/base64url.h"
#include "path/stun_check.h"
#include "support/turn_messages.h"
#include "support/vectors.h"
#include "support/web_socket_server.h"

namespace thru {
namespace {

using Corpus = std::vector<Bytes>;

/// About two seconds for all targets without sanitizers.
constexpr int kMutations = 50'000;
/// Mutations for targets whose calls take up to a millisecond.
constexpr int kFewMutations = 4'000;

Bytes to_bytes(std::string_view text) {
    const auto view = as_bytes(text);
    return {view.begin(), view.end()};
}

Corpus corpus_of(std::string_view name) {
    Corpus corpus;
    for (const auto &vector : test::read_vectors(name)) {
        if (vector.contains("bytes")) {
            corpus.push_back(test::bytes_of(vector));
        } else if (vector.contains("text")) {
            corpus.push_back(to_bytes(vector["text"].get<std::string>()));
        }
        for (const auto &payload : vector.value("payloads", std::vector<std::string>{})) {
            corpus.push_back(from_base64url(payload).value_or(to_bytes(payload)));
        }
    }
    return corpus;
}

/// Contents of boxes, each after its length.
Corpus message_corpus() {
    const std::string description = "\x05"
                                    "Grace";
    const std::string candidate = "\x01"
                                  "candidate:1 1 UDP 2015363327 192.0.2.7 40001 typ host";
    Bytes whole;
    for (const auto &message : {description, candidate, candidate, std::string{"\x02"}}) {
        whole.push_back(static_cast<std::uint8_t>(message.size()));
        whole.insert(whole.end(), message.begin(), message.end());
    }
    const auto described = static_cast<std::ptrdiff_t>(1 + description.size());
    return {whole, Bytes(whole.begin(), whole.begin() + described)};
}

/// Changes to each payload of a run, and payloads of other runs in its place.
Corpus run_corpus() {
    Corpus corpus;
    for (const std::uint8_t step : std::to_array<std::uint8_t>({0, 1, 2, 3})) {
        corpus.push_back({step});
        corpus.push_back({step, 0, 20, 1});
        corpus.push_back({step, 0, 70, 128, 1, 0, 255});
        for (const auto &payload : corpus_of("pairing")) {
            corpus.push_back({static_cast<std::uint8_t>(step | 4)});
            corpus.back().insert(corpus.back().end(), payload.begin(), payload.end());
        }
    }
    return corpus;
}

/// Valid and invalid elements, each alone and followed by data.
Corpus share_corpus() {
    Corpus corpus;
    for (const auto &vector : test::read_vectors("cpace")) {
        if (vector.contains("element")) {
            corpus.push_back(test::from_hex(vector["element"].get<std::string>()));
            corpus.push_back(corpus.back());
            corpus.back().insert(corpus.back().end(), {1, 2, 3});
        }
    }
    return corpus;
}

Corpus invitation_corpus() {
    return {to_bytes(R"({"nameplate":"4821"})"), Bytes(40, 0), Bytes(1064, 0xff)};
}

Corpus candidate_corpus() {
    return {to_bytes("candidate:1 1 UDP 2015363327 192.0.2.7 40001 typ host"),
            to_bytes("candidate:2 1 TCP 1019217151 2001:db8::7 9 typ srflx raddr :: rport 0"),
            to_bytes("candidate:3 1 udp 1 ::ffff:10.0.0.1 65535 typ relay raddr 10.0.0.1 rport 9")};
}

/// A binary message, one in two frames, an empty one, a ping, and the end.
Corpus web_socket_corpus() {
    Corpus corpus{test::web_socket_frame(0x82, "data"),
                  test::web_socket_frame(0x02, "begun"),
                  test::web_socket_frame(0x80, "ended"),
                  test::web_socket_frame(0x82, ""),
                  test::web_socket_frame(0x82, std::string(300, 'x')),
                  test::web_socket_frame(0x89, "ping"),
                  test::web_socket_frame(0x88, "\x03\xe8")};
    Bytes all;
    for (const auto &frame : corpus) {
        append_bytes(all, frame);
    }
    corpus.push_back(std::move(all));
    return corpus;
}

/// TURN responses and requests, and data inside and outside a channel.
Corpus relay_corpus() {
    auto data = test::channel_data(test::kFirstTurnChannel, Bytes(12, test::kQuicByte));
    Corpus corpus{test::stun_header(test::kRefreshSuccess), test::allocate_request("user"),
                  test::stun_header(test::kDataIndication),
                  test::channel_data(test::kFirstTurnChannel, {}), data};
    Bytes all;
    for (const auto &frame : corpus) {
        append_bytes(all, frame);
    }
    corpus.push_back(std::move(all));
    return corpus;
}

/// A request to the side that the fuzzer plays, and its response.
Corpus stun_corpus() {
    const auto side = [](const char *name) {
        return IceCredentials{.ufrag = name, .pwd = SecretText("0123456789abcdefghijklmn")};
    };
    const auto request = stun_check({.own = side("dana"), .peer = side("mina")}, {1, 2, 3});
    const auto answer =
        answer_stun_check(request, {.own = side("mina"), .peer = side("dana")}).value();
    return {request, answer.message};
}

/// Each entry starts with the kind of proxy: HTTP, or SOCKS 5 with or without a password.
Corpus proxy_corpus() {
    using namespace std::string_view_literals;
    return {to_bytes("\0HTTP/1.1 200 Connected\r\nVia: 1.1 proxy\r\n\r\nleft over"sv),
            to_bytes("\2HTTP/1.0 407 Who are you\r\n\r\n"sv),
            {1, 5, 0, 5, 0, 0, 1, 192, 0, 2, 7, 31, 144, 42},
            {3, 5, 2, 1, 0, 5, 0, 0, 3, 4, 'h', 'o', 's', 't', 31, 144},
            {3, 5, 2, 1, 1},
            {1, 5, 255}};
}

class Mutator {
public:
    explicit Mutator(Corpus corpus) : corpus_(std::move(corpus)) {}

    Bytes next() {
        auto bytes = pick();
        for (auto changes = 1 + below(4); changes > 0; --changes) {
            change(bytes);
        }
        return bytes;
    }

private:
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }
    const Bytes &pick() { return corpus_[below(corpus_.size())]; }

    void change(Bytes &bytes) {
        const auto at = static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
        const auto place = bytes.begin() + at;
        const auto value = static_cast<std::uint8_t>(random_());
        switch (below(5)) {
        case 0:
            bytes.insert(place, value);
            return;
        case 1:
            bytes.erase(place, place + static_cast<std::ptrdiff_t>(
                                           below(static_cast<std::size_t>(bytes.end() - place))));
            return;
        case 2: {
            const auto &other = pick();
            bytes.insert(place, other.begin(), other.end());
            return;
        }
        default:
            if (place != bytes.end()) {
                *place =
                    below(2) == 0 ? value : static_cast<std::uint8_t>(*place ^ (1U << below(8)));
            }
        }
    }

    Corpus corpus_;
    std::mt19937_64 random_{20260104};
};

struct Target {
    const char *name;
    void (*run)(ByteView);
    std::function<Corpus()> corpus;
    int mutations = kMutations;
};

class FuzzTargets : public testing::TestWithParam<Target> {};

TEST_P(FuzzTargets, HoldForTheVectorsAndForMutationsOfThem) {
    const auto &[name, run, make_corpus, mutations] = GetParam();
    const auto corpus = make_corpus();
    ASSERT_FALSE(corpus.empty());
    run({});
    for (const auto &bytes : corpus) {
        run(bytes);
    }
    Mutator mutator{corpus};
    for (int count = 0; count < mutations; ++count) {
        run(mutator.next());
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, FuzzTargets,
    testing::Values(Target{"control", fuzz::fuzz_control, [] { return corpus_of("control"); }},
                    Target{"manifest", fuzz::fuzz_manifest, [] { return corpus_of("manifest"); }},
                    Target{"segment", fuzz::fuzz_segment, [] { return corpus_of("segment"); }},
                    Target{"payload", fuzz::fuzz_pairing_payload,
                           [] { return corpus_of("pairing"); }},
                    Target{"run", fuzz::fuzz_pairing_run, run_corpus, kFewMutations},
                    Target{"message", fuzz::fuzz_pairing_message, message_corpus},
                    Target{"share", fuzz::fuzz_cpace_share, share_corpus, kFewMutations},
                    Target{"invitation", fuzz::fuzz_invitation, invitation_corpus, kFewMutations},
                    Target{"candidate", fuzz::fuzz_candidate, candidate_corpus},
                    Target{"text", fuzz::fuzz_text, [] { return corpus_of("join-code"); }},
                    Target{"web_socket", fuzz::fuzz_web_socket, web_socket_corpus, kFewMutations},
                    Target{"relay_frames", fuzz::fuzz_relay_frames, relay_corpus},
                    Target{"stun", fuzz::fuzz_stun, stun_corpus},
                    Target{"proxy_answer", fuzz::fuzz_proxy_answer, proxy_corpus}),
    [](const auto &target) { return std::string{target.param.name}; });

} // namespace
} // namespace thru
