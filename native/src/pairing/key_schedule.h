// Derives tags and keys from the exchange and CPace's key: docs/protocol.md#pairing-keys
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "crypto/cpace.h"
#include "crypto/digest.h"
#include "crypto/secret_key.h"
#include "pairing/pairing.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// CI of CPace: the roles of both sides and the nameplate.
Bytes channel_of(std::string_view nameplate);

/// The data exchanged before the proofs.
struct PairingTranscript {
    std::string nameplate;
    PairingRun run{};
    CpaceShare receiver_share{};
    Bytes receiver_data;
    CpaceShare sender_share{};
    Bytes sender_data;
};

struct KeySchedule {
    /// Ta and Tb, which need the secret. Compare them only by digests_equal.
    LongDigest receiver_tag{};
    LongDigest sender_tag{};
    /// Keys of the boxes made by each side.
    SecretKey receiver_boxes;
    SecretKey sender_boxes;
    IceCredentials receiver_ice;
    IceCredentials sender_ice;
    PairingKeys keys;
};

/// The ID of the guess that a receiver makes by this tag. `transcript` as in PairingKeys.
GuessId guess_of(const LongDigest &transcript, const LongDigest &receiver_tag);

KeySchedule schedule_keys(const PairingTranscript &transcript, const CpaceKey &key);

} // namespace thru
