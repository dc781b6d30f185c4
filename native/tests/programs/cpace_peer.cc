// One side of CPace for a test in another language: answers each line of JSON on standard input
// with one on standard output. Bytes are lower-case hex.
//   {"start": {"secret", "channel", "session"}}                     {"share"}
//   {"finish": {"role": "initiator" | "responder", "share", "own", "peer"}}   {"key": hex or null}
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

#include "crypto/cpace.h"
#include "support/vectors.h"

namespace {

using namespace thru;
using test::Json;

Bytes field(const Json &request, const char *name) {
    return test::from_hex(request.at(name).get<std::string>());
}

Json start(std::optional<Cpace> &run, const Json &request) {
    const auto secret = field(request, "secret");
    const auto channel = field(request, "channel");
    const auto session = field(request, "session");
    run.emplace(CpaceInput{secret, channel, session});
    return {{"share", test::to_hex(run->share())}};
}

Json finish(std::optional<Cpace> &run, const Json &request) {
    const auto share = field(request, "share");
    CpaceShare peer{};
    std::ranges::copy_n(share.begin(), std::ssize(peer), peer.begin());
    const auto role =
        request.at("role") == "initiator" ? Cpace::Role::Initiator : Cpace::Role::Responder;
    const auto key = run.value().finish(role, peer, field(request, "own"), field(request, "peer"));
    return {{"key", key ? Json(test::to_hex(key->view())) : Json()}};
}

} // namespace

int main() {
    std::optional<Cpace> run;
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = Json::parse(line);
        const auto answer = request.contains("start") ? start(run, request.at("start"))
                                                      : finish(run, request.at("finish"));
        std::cout << answer.dump() << std::endl;
    }
}
