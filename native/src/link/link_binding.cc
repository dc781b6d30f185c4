#include "link/link_binding.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "crypto/digest.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

constexpr std::string_view kContactContext = "thru/1 contact";

LinkRole other(LinkRole role) {
    return role == LinkRole::Sender ? LinkRole::Receiver : LinkRole::Sender;
}

std::string_view name_of(LinkRole role) { return role == LinkRole::Sender ? "send" : "recv"; }

} // namespace

LinkBinding::LinkBinding(LinkRole role, const PairingKeys &keys, const SecretKey &exported,
                         std::optional<ContactProof> contact)
    : role_(role), own_key_(role == LinkRole::Sender ? keys.bind_sender : keys.bind_receiver),
      peer_key_(role == LinkRole::Sender ? keys.bind_receiver : keys.bind_sender),
      exported_(exported), contact_(std::move(contact)) {}

std::size_t LinkBinding::size() const {
    return Digest{}.size() + (contact_ ? Signature{}.size() : 0);
}

Bytes LinkBinding::statement(LinkRole role) const {
    return lv_cat({as_bytes(kContactContext), as_bytes(name_of(role)), exported_.view()});
}

Bytes LinkBinding::own() const {
    Bytes bytes;
    append_bytes(bytes, hmac_sha256(own_key_.view(), exported_.view()));
    if (contact_) {
        append_bytes(bytes, contact_->own.sign(statement(role_)));
    }
    return bytes;
}

Result<std::size_t> LinkBinding::receive(ByteView bytes) {
    if (done_) {
        return 0;
    }
    const auto taken = std::min(bytes.size(), size() - received_.size());
    append_bytes(received_, bytes.first(taken));
    if (received_.size() == size()) {
        if (!is_right()) {
            return fail(ErrorCode::PeerIdentity, 0, "BIND does not match the pairing");
        }
        done_ = true;
    }
    return taken;
}

bool LinkBinding::is_right() const {
    const ByteView received{received_};
    Digest tag;
    std::ranges::copy(received.first(tag.size()), tag.begin());
    if (!digests_equal(tag, hmac_sha256(peer_key_.view(), exported_.view()))) {
        return false;
    }
    if (!contact_) {
        return true;
    }
    Signature signature;
    std::ranges::copy(received.subspan(tag.size()), signature.begin());
    return is_signed_by(contact_->peer, statement(other(role_)), signature);
}

} // namespace thru
