#include <algorithm>

#include "crypto/base64url.h"
#include "crypto/cpace.h"
#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "pairing/contact.h"

namespace thru::fuzz {

void fuzz_cpace_share(ByteView input) {
    CpaceShare peer{};
    const auto size = std::min(input.size(), peer.size());
    std::ranges::copy(input.first(size), peer.begin());
    const auto data = input.subspan(size);
    for (const auto role : {Cpace::Role::Initiator, Cpace::Role::Responder}) {
        Cpace run{{as_bytes("apple-riverboat-stopwatch"), as_bytes("channel"), as_bytes("run")}};
        const auto key = run.finish(role, peer, as_bytes("own"), data);
        // A canonical share is even and below 2^255, and the identity is all zero.
        require(!key || (peer.front() % 2 == 0 && peer.back() < 0x80 && peer != CpaceShare{}));
        require(!run.finish(role, peer, as_bytes("own"), data));
    }
}

void fuzz_invitation(ByteView input) {
    static const SecretKey kShared;
    constexpr PublicKey kOwner{};
    // Random input never makes a valid box.
    require(!open_invitation(kShared, kOwner, to_base64url(input)));
    require(!open_invitation(kShared, kOwner, as_text(input)));
    const auto text = as_text(input.first(std::min(input.size(), kMaxInvitationBytes)));
    require(open_invitation(kShared, kOwner, seal_invitation(kShared, kOwner, text)) == text);
}

} // namespace thru::fuzz
