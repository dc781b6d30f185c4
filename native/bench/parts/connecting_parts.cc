#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crypto/digest.h"
#include "pairing/candidate_exchange.h"
#include "pairing/pairing.h"
#include "parts/part.h"
#include "parts/texts.h"
#include "path/stun_check.h"

namespace thru::bench {

namespace {

std::string sample_candidate(std::uint64_t number) {
    const std::string port = std::to_string(20'000 + number % 40'000);
    switch (number % 4) {
    case 0:
        return "candidate:1 1 UDP 2015363327 192.168.178.23 " + port + " typ host";
    case 1:
        return "candidate:2 1 UDP 2015363583 2001:db8:4f:1::23 " + port + " typ host";
    case 2:
        return "candidate:3 1 UDP 1679819007 203.0.113.9 " + port +
               " typ srflx raddr 192.168.178.23 rport " + port;
    default:
        return "candidate:4 1 TCP 1010827775 192.168.178.23 " + port + " typ host tcptype passive";
    }
}

/// One message per candidate: a type byte and its line.
std::vector<Bytes> candidate_messages(const std::vector<std::string> &lines) {
    std::vector<Bytes> messages;
    for (std::size_t index = 0; index < lines.size();) {
        CandidateExchange exchange;
        for (std::uint32_t sent = 0; sent < kMaxPeerCandidates && index < lines.size(); ++sent) {
            auto message = exchange.announce(lines[index++]);
            demand(message.has_value(), "A candidate is of no use");
            messages.push_back(std::move(*message));
        }
    }
    return messages;
}

Ready prepare_candidates(std::uint64_t amount) {
    std::vector<std::string> lines;
    for (std::uint64_t number = 0; number < amount; ++number) {
        lines.push_back(sample_candidate(number));
    }
    return {.amount = amount,
            .run =
                [messages = candidate_messages(lines)] {
                    return timed([&] {
                        for (std::size_t index = 0; index < messages.size();) {
                            CandidateExchange exchange;
                            for (std::uint32_t came = 0;
                                 came < kMaxPeerCandidates && index < messages.size(); ++came) {
                                const auto events = exchange.on_message(messages[index++]);
                                demand(events && events->size() == 1, "A candidate is refused");
                            }
                        }
                    });
                },
            .limit = copies_of(std::move(lines))};
}

IceCredentials credentials_of(const char *ufrag, const char *pwd) {
    return {.ufrag = ufrag, .pwd = SecretText(pwd)};
}

Ready prepare_stun(std::uint64_t amount) {
    const auto asking = credentials_of("00000001", "00112233445566778899aabbccddeeff");
    const auto asked = credentials_of("00000002", "ffeeddccbbaa99887766554433221100");
    const CheckCredentials own{.own = asked, .peer = asking};
    const auto request = stun_check({.own = asking, .peer = asked}, {1, 2, 3});
    return {.amount = amount,
            .run =
                [=] {
                    return timed([&] {
                        for (std::uint64_t number = 0; number < amount; ++number) {
                            demand(answer_stun_check(request, own).has_value(),
                                   "A check is not answered");
                        }
                    });
                },
            .limit =
                [=] {
                    return timed([&] {
                        for (std::uint64_t number = 0; number < amount; ++number) {
                            // Tags of the check and of its response.
                            const std::array tags{
                                hmac_sha256(as_bytes(own.own.pwd.view()), request),
                                hmac_sha256(as_bytes(own.own.pwd.view()), request)};
                            use(&tags);
                        }
                    });
                }};
}

} // namespace

const Part kCandidates{.name = "candidates",
                       .what =
                           "candidates of the other side, from sealed messages that were opened",
                       .unit = "candidates",
                       .limit = "a copy of each",
                       .amount = 1'000'000,
                       .prepare = prepare_candidates};
const Part kStun{.name = "stun",
                 .what = "checks of ICE that come over TCP, each with its answer",
                 .unit = "checks",
                 .limit = "HMAC-SHA256 of both",
                 .amount = 100'000,
                 .prepare = prepare_stun};

} // namespace thru::bench
