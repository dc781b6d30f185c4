// The secret by which two sides recognize each other when they pair.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "crypto/digest.h"
#include "crypto/secret_key.h"

namespace thru {

/// Chosen by the receiver at random; identifies one attempt to pair, and is never reused.
using PairingRun = std::array<std::uint8_t, 16>;

/// Identifies one of several long secrets without letting others link two runs with the same
/// secret: the first 16 bytes of HMAC-SHA-256(PRS, "hint" || run).
using SecretHint = std::array<std::uint8_t, 16>;

/// Identifies one guess by the data exchanged in a run and the tag that the receiver showed.
using GuessId = LongDigest;

/// Copies are wiped when destroyed.
class PairingSecret {
public:
    enum class Kind : std::uint8_t {
        /// Three words of a join code; guesses are counted.
        Words = 0,
        /// The key from an earlier pairing with the same share.
        Resume = 1,
        /// The key shared by contacts.
        Contact = 2,
    };

    /// `words` with hyphens, without the nameplate.
    static PairingSecret words(std::string words);
    /// `kind` is Resume or Contact.
    static PairingSecret key(Kind kind, const SecretKey &key);

    Kind kind() const { return kind_; }
    /// PRS of CPace: the words, or the key in hexadecimal digits.
    ByteView view() const { return as_bytes(text_.view()); }
    /// All zeros for words.
    SecretHint hint(const PairingRun &run) const;

private:
    PairingSecret(Kind kind, std::string_view text) : kind_(kind), text_(text) {}
    Kind kind_;
    SecretText text_;
};

} // namespace thru
