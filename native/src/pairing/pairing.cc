#include "pairing/pairing.h"

#include <algorithm>
#include <optional>

#include "base/byte_reader.h"
#include "base/utf8.h"
#include "crypto/hkdf.h"
#include "crypto/random.h"
#include "pairing/ice_candidate.h"

namespace thru {

namespace {

constexpr std::string_view kSalt = "thru/1 pairing";

/// Which way a message goes; part of its associated data, and of its key by the label.
enum class Direction : std::uint8_t { SenderToReceiver = 1, ReceiverToSender = 2 };

std::string_view label_of(Direction direction) {
    return direction == Direction::SenderToReceiver ? "sender to receiver" : "receiver to sender";
}

Direction sent_by(Pairing::Role role) {
    return role == Pairing::Role::Sender ? Direction::SenderToReceiver
                                         : Direction::ReceiverToSender;
}

Direction received_by(Pairing::Role role) {
    return role == Pairing::Role::Sender ? Direction::ReceiverToSender
                                         : Direction::SenderToReceiver;
}

SecretKey key_for(Direction direction, const JoinCode &code, const PairingRun &run) {
    Bytes info;
    append_bytes(info, as_bytes(label_of(direction)));
    append_bytes(info, as_bytes(code.nameplate));
    append_bytes(info, run);
    return hkdf_sha256(as_bytes(code.words), as_bytes(kSalt), info);
}

Bytes associated_data(Direction direction, std::uint64_t counter) {
    Bytes associated = {kPairingVersion, static_cast<std::uint8_t>(direction)};
    append_big_endian(associated, counter, sizeof counter);
    return associated;
}

/// RFC 8839, section 5.4; one byte holds the length here.
struct CredentialLimits {
    std::size_t least;
    std::size_t most = 255;
};
constexpr CredentialLimits kUfragLimits{.least = 4};
constexpr CredentialLimits kPasswordLimits{.least = 22};

void append_short_text(Bytes &out, std::string_view text) {
    out.push_back(static_cast<std::uint8_t>(text.size()));
    append_bytes(out, as_bytes(text));
}

std::optional<std::string> take_short_text(ByteReader &reader) {
    const auto length = reader.byte();
    const auto bytes = length ? reader.bytes(*length) : std::nullopt;
    return bytes ? std::optional{std::string{as_text(*bytes)}} : std::nullopt;
}

bool is_credential(std::string_view text, CredentialLimits limits) {
    return text.size() >= limits.least && text.size() <= limits.most &&
           std::ranges::all_of(text, is_ice_char);
}

std::unexpected<Error> broken(const char *detail) {
    return fail(ErrorCode::PeerProtocol, 0, detail);
}

} // namespace

Pairing::Pairing(Role role, const JoinCode &code, PeerDescription own)
    : role_(role), code_(code), own_(std::move(own)) {
    if (role_ == Role::Receiver) {
        random_bytes(run_);
        derive_keys();
        describe_self();
    }
}

Pairing::~Pairing() { wipe(code_.words); }

void Pairing::derive_keys() {
    send_key_ = key_for(sent_by(role_), code_, run_);
    receive_key_ = key_for(received_by(role_), code_, run_);
    keyed_ = true;
    wipe(code_.words);
}

Result<std::vector<PairingEvent>> Pairing::on_payload(std::string_view payload) {
    if (failed_) {
        return broken("the pairing is over");
    }
    auto events = take(payload);
    failed_ = !events.has_value();
    return events;
}

Result<std::vector<PairingEvent>> Pairing::take(std::string_view payload) {
    const auto decoded = decode_payload(payload);
    if (!decoded) {
        return decoded.error().code == ErrorCode::PeerVersion
                   ? refuse(ErrorCode::PeerVersion, "the other side speaks another version")
                   : std::unexpected(decoded.error());
    }
    if (const auto *failure = std::get_if<FailurePayload>(&*decoded)) {
        return fail(failure->code, 0, "the other side says so");
    }
    const auto &sealed = std::get<SealedPayload>(*decoded);
    if (!keyed_) {
        run_ = sealed.run;
        derive_keys();
    }
    const auto message = open(sealed);
    return message ? on_message(*message) : std::unexpected(message.error());
}

std::unexpected<Error> Pairing::refuse(ErrorCode code, const char *detail) {
    payloads_.push_back(encode_payload(FailurePayload{run_, code}));
    return fail(code, 0, detail);
}

Result<Bytes> Pairing::open(const SealedPayload &sealed) {
    if (sealed.run != run_ || sealed.counter != received_) {
        return broken("pairing payload out of order");
    }
    auto message = open_box(receive_key_, sealed.nonce,
                            associated_data(received_by(role_), received_), sealed.box);
    if (!message && received_ == 0) {
        return refuse(ErrorCode::CodeMismatch, "the other side has other words");
    }
    if (!message) {
        return broken("pairing payload was altered");
    }
    ++received_;
    return *std::move(message);
}

Result<std::vector<PairingEvent>> Pairing::on_message(ByteView message) {
    if (message.empty()) {
        return broken("empty pairing message");
    }
    const auto type = static_cast<MessageType>(message.front());
    const auto content = message.subspan(1);
    if (peer_known_ == (type == MessageType::Description)) {
        return broken("a pairing begins with one description");
    }
    switch (type) {
    case MessageType::Description:
        return on_description(content);
    case MessageType::Candidate:
        return on_candidate(as_text(content));
    case MessageType::CandidatesDone:
        if (std::exchange(peer_candidates_done_, true)) {
            return broken("candidates ended twice");
        }
        return std::vector<PairingEvent>{RemoteCandidatesDone{}};
    }
    // A newer version may say more.
    return {};
}

Result<std::vector<PairingEvent>> Pairing::on_description(ByteView content) {
    PeerDescription peer;
    ByteReader reader{content};
    const auto fingerprint = reader.bytes(peer.fingerprint.size());
    const auto ufrag = take_short_text(reader);
    const auto password = take_short_text(reader);
    const auto name = take_short_text(reader);
    if (!fingerprint || !ufrag || !password || !name || !is_credential(*ufrag, kUfragLimits) ||
        !is_credential(*password, kPasswordLimits) || !is_peer_name(*name)) {
        return broken("malformed description");
    }
    std::ranges::copy(*fingerprint, peer.fingerprint.begin());
    peer.ice_ufrag = *ufrag;
    peer.ice_pwd = *password;
    peer.name = *name;

    peer_known_ = true;
    if (role_ == Role::Sender) {
        describe_self();
    }
    for (const auto &[type, text] : std::exchange(held_back_, {})) {
        seal(type, as_bytes(text));
    }
    return std::vector<PairingEvent>{std::move(peer)};
}

Result<std::vector<PairingEvent>> Pairing::on_candidate(std::string_view line) {
    const auto check = check_candidate(line);
    if (check == CandidateCheck::Malformed || peer_candidates_done_) {
        return broken("malformed or late candidate");
    }
    if (check == CandidateCheck::Ignored || peer_candidates_ == kMaxPeerCandidates) {
        return {};
    }
    ++peer_candidates_;
    return std::vector<PairingEvent>{RemoteCandidate{std::string{line}}};
}

void Pairing::describe_self() {
    Bytes content;
    append_bytes(content, own_.fingerprint);
    append_short_text(content, own_.ice_ufrag);
    append_short_text(content, own_.ice_pwd);
    append_short_text(content, to_peer_name(own_.name));
    seal(MessageType::Description, content);
}

void Pairing::send_candidate(std::string_view line) {
    if (own_candidates_done_ || own_candidates_ == kMaxPeerCandidates ||
        check_candidate(line) != CandidateCheck::Usable) {
        return;
    }
    ++own_candidates_;
    queue(MessageType::Candidate, line);
}

void Pairing::send_candidates_done() {
    if (!std::exchange(own_candidates_done_, true)) {
        queue(MessageType::CandidatesDone, {});
    }
}

void Pairing::queue(MessageType type, std::string_view content) {
    if (failed_) {
        return;
    }
    if (peer_known_) {
        seal(type, as_bytes(content));
    } else {
        held_back_.emplace_back(type, content);
    }
}

void Pairing::seal(MessageType type, ByteView content) {
    Bytes message = {static_cast<std::uint8_t>(type)};
    append_bytes(message, content);
    const auto nonce = random_box_nonce();
    payloads_.push_back(encode_payload(SealedPayload{
        .run = run_,
        .counter = sent_,
        .nonce = nonce,
        .box = seal_box(send_key_, nonce, associated_data(sent_by(role_), sent_), message)}));
    ++sent_;
}

std::vector<std::string> Pairing::take_payloads() { return std::exchange(payloads_, {}); }

} // namespace thru
