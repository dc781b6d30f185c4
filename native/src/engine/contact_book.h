// This installation's long-term key and its contacts. Network thread only.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "crypto/signature.h"
#include "link/link_binding.h"
#include "pairing/contact.h"
#include "pairing/pairing.h"

namespace thru {

struct ContactBook {
    std::optional<SigningKey> own;
    std::vector<Contact> contacts;

    const Contact *find(std::string_view id) const;
    const Contact *find(const PairingRequested &request) const;
    /// Proof for a pairing with this contact; nullopt if this installation has no key.
    std::optional<ContactProof> proof(const Contact &contact) const;
};

} // namespace thru
