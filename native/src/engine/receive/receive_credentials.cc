#include "engine/receive/receive_credentials.h"

#include <utility>
#include <variant>

#include "pairing/join_code.h"

namespace thru {

namespace {

struct ToCredentials {
    const std::string &nameplate;
    const ContactBook &book;

    Result<PeerLink::Credentials> operator()(const ByWords &by) const {
        auto code = parse_join_code(nameplate + "-" + by.words);
        if (!code) {
            return std::unexpected(code.error());
        }
        return PeerLink::Credentials{.secret = PairingSecret::words(std::move(code->words)),
                                     .contact = std::nullopt};
    }

    Result<PeerLink::Credentials> operator()(const ByResumeKey &by) const {
        return PeerLink::Credentials{.secret =
                                         PairingSecret::key(PairingSecret::Kind::Resume, by.key),
                                     .contact = std::nullopt};
    }

    Result<PeerLink::Credentials> operator()(const ByContact &by) const {
        const Contact *contact = book.find(by.contact);
        auto proof = contact != nullptr ? book.proof(*contact) : std::nullopt;
        if (!proof) {
            return fail(ErrorCode::ContactUnknown, 0, "unknown contact");
        }
        return PeerLink::Credentials{
            .secret = PairingSecret::key(PairingSecret::Kind::Contact, contact->shared),
            .contact = std::move(proof)};
    }
};

} // namespace

Result<PeerLink::Credentials> credentials_of(const OpenReceive &command, const ContactBook &book) {
    if (!is_nameplate(command.nameplate)) {
        return fail(ErrorCode::BadCode, 0, "a code begins with a number of 4 to 6 digits");
    }
    return std::visit(ToCredentials{command.nameplate, book}, command.secret);
}

} // namespace thru
