#include "engine/receive_credentials.h"

#include <utility>
#include <variant>

#include "pairing/join_code.h"

namespace thru {

Result<PeerLink::Credentials> credentials_of(const OpenReceive &command, const ContactBook &book) {
    if (!is_nameplate(command.nameplate)) {
        return fail(ErrorCode::BadCode, 0, "a code begins with a number of 4 to 6 digits");
    }
    if (const auto *by_words = std::get_if<ByWords>(&command.secret)) {
        auto code = parse_join_code(command.nameplate + "-" + by_words->words);
        if (!code) {
            return std::unexpected(code.error());
        }
        return PeerLink::Credentials{.secret = PairingSecret::words(std::move(code->words)),
                                     .contact = std::nullopt};
    }
    if (const auto *by_key = std::get_if<ByResumeKey>(&command.secret)) {
        return PeerLink::Credentials{
            .secret = PairingSecret::key(PairingSecret::Kind::Resume, by_key->key),
            .contact = std::nullopt};
    }
    const Contact *contact = book.find(std::get<ByContact>(command.secret).contact);
    auto proof = contact != nullptr ? book.proof(*contact) : std::nullopt;
    if (!proof) {
        return fail(ErrorCode::ContactUnknown, 0, "unknown contact");
    }
    return PeerLink::Credentials{
        .secret = PairingSecret::key(PairingSecret::Kind::Contact, contact->shared),
        .contact = std::move(proof)};
}

} // namespace thru
