#include "engine/contact_exchange.h"

#include "crypto/length_prefix.h"
#include "pairing/contact.h"

namespace thru {

namespace {

constexpr std::string_view kRequestContext = "thru/1 keep";

} // namespace

Bytes ContactExchange::statement(LinkRole role, const PublicKey &key) const {
    const std::string_view name = role == LinkRole::Sender ? "send" : "recv";
    return lv_cat({as_bytes(kRequestContext), as_bytes(name), exported_.view(), key});
}

std::optional<ContactRequest> ContactExchange::request(const SigningKey &own) {
    if (own_) {
        return std::nullopt;
    }
    own_ = own.public_key();
    return ContactRequest{.public_key = *own_, .signature = own.sign(statement(role_, *own_))};
}

Result<> ContactExchange::receive(const ContactRequest &request) {
    const auto other = role_ == LinkRole::Sender ? LinkRole::Receiver : LinkRole::Sender;
    if (peer_ || !is_signed_by(request.public_key, statement(other, request.public_key),
                               request.signature)) {
        return fail(ErrorCode::PeerProtocol, 0,
                    "CONTACT_REQUEST with an invalid signature, or a second one");
    }
    peer_ = request.public_key;
    return {};
}

std::optional<NewContact> ContactExchange::take_contact() {
    if (!own_ || !peer_ || taken_) {
        return std::nullopt;
    }
    taken_ = true;
    return NewContact{.public_key = *peer_, .shared = contact_key(exported_.view(), *own_, *peer_)};
}

} // namespace thru
