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
    /// The contact that a request refers to.
    const Contact *find(const PairingRequested &request) const;
    /// For a run with this contact; nullopt without a key of one's own.
    std::optional<ContactProof> proof(const Contact &contact) const;
};

} // namespace thru
