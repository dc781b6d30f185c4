#include "pairing/candidate_exchange.h"

#include <string>
#include <utility>

#include "base/byte_reader.h"

namespace thru {

namespace {

enum class MessageType : std::uint8_t { Candidate = 1, CandidatesDone = 2 };

Bytes message_of(MessageType type, std::string_view content) {
    Bytes message;
    message.reserve(1 + content.size());
    message.push_back(static_cast<std::uint8_t>(type));
    append_bytes(message, as_bytes(content));
    return message;
}

std::unexpected<Error> broken(const char *detail) {
    return fail(ErrorCode::PeerProtocol, 0, detail);
}

} // namespace

std::optional<Bytes> CandidateExchange::announce(std::string_view line) {
    if (own_.done || !own_.count(check_candidate(line))) {
        return std::nullopt;
    }
    return message_of(MessageType::Candidate, line);
}

std::optional<Bytes> CandidateExchange::announce_done() {
    if (std::exchange(own_.done, true)) {
        return std::nullopt;
    }
    return message_of(MessageType::CandidatesDone, {});
}

Result<std::vector<PairingEvent>> CandidateExchange::on_message(ByteView message) {
    if (message.empty()) {
        return broken("empty pairing message");
    }
    switch (static_cast<MessageType>(message.front())) {
    case MessageType::Candidate:
        return on_candidate(as_text(message.subspan(1)));
    case MessageType::CandidatesDone:
        if (std::exchange(peer_.done, true)) {
            return broken("candidates ended twice");
        }
        return std::vector<PairingEvent>{RemoteCandidatesDone{}};
    }
    // Newer versions may have more types.
    return {};
}

Result<std::vector<PairingEvent>> CandidateExchange::on_candidate(std::string_view line) {
    const auto check = check_candidate(line);
    if (check == CandidateCheck::Malformed || peer_.done) {
        return broken("malformed or late candidate");
    }
    if (!peer_.count(check)) {
        return {};
    }
    if (check == CandidateCheck::Named) {
        return std::vector<PairingEvent>{NamedCandidate{std::string{line}}};
    }
    return std::vector<PairingEvent>{RemoteCandidate{std::string{line}}};
}

bool CandidateExchange::Announced::count(CandidateCheck check) {
    const bool is_named = check == CandidateCheck::Named;
    if ((check != CandidateCheck::Usable && !is_named) || candidates == kMaxPeerCandidates ||
        (is_named && named == kMaxNamedCandidates)) {
        return false;
    }
    ++candidates;
    named += is_named ? 1 : 0;
    return true;
}

} // namespace thru
