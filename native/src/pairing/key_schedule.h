// From what both sides said and CPace's key to tags and keys.
// Normative text: docs/protocol.md#pairing-keys
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

/// CI of CPace: who talks to whom over what.
Bytes channel_of(std::string_view nameplate);

/// What was said before the proofs.
struct PairingTranscript {
    std::string nameplate;
    PairingRun run{};
    CpaceShare receiver_share{};
    Bytes receiver_data;
    CpaceShare sender_share{};
    Bytes sender_data;
};

struct KeySchedule {
    /// Ta and Tb: who has the secret can make them. To be compared by digests_equal only.
    LongDigest receiver_tag{};
    LongDigest sender_tag{};
    /// Key of the boxes that this side makes.
    SecretKey receiver_boxes;
    SecretKey sender_boxes;
    IceCredentials receiver_ice;
    IceCredentials sender_ice;
    PairingKeys keys;
};

/// The name of the guess that the receiver makes by this tag in this run. `transcript` as in
/// PairingKeys.
GuessId guess_of(const LongDigest &transcript, const LongDigest &receiver_tag);

KeySchedule schedule_keys(const PairingTranscript &transcript, const CpaceKey &key);

} // namespace thru
