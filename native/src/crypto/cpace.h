// CPace (draft-irtf-cfrg-cpace-21): two sides that share a short secret agree on a long one. An
// outsider learns only if one guess was right. Suite CPACE-RISTR255-SHA512, initiator-responder.
// Scalars and intermediate values are wiped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

/// A public share: an encoded Ristretto255 element (RFC 9496).
using CpaceShare = std::array<std::uint8_t, 32>;

/// The intermediate session key (ISK).
using CpaceKey = SecretBytes<64>;

/// Inputs that must be equal on both sides (section 3.1 of the draft).
struct CpaceInput {
    /// PRS: the low-entropy secret.
    ByteView secret;
    /// CI: the roles of both sides and the nameplate.
    ByteView channel;
    /// sid: unique for each run.
    ByteView session;
};

/// One side of one run. Not thread-safe.
class Cpace {
public:
    /// Makes a share from a random scalar.
    explicit Cpace(const CpaceInput &input);
    ~Cpace() = default;
    Cpace(const Cpace &) = delete;
    Cpace &operator=(const Cpace &) = delete;
    /// A moved-from object has no scalar, so its `finish` returns nullopt.
    Cpace(Cpace &&other) noexcept;
    Cpace &operator=(Cpace &&other) noexcept;

    const CpaceShare &share() const { return share_; }

    enum class Role : std::uint8_t { Initiator, Responder };
    /// Returns the session key on the first call, nullopt on later ones. Also nullopt if `peer` is
    /// not a canonical encoding, is the identity, or is this side's own share. `own_data` and
    /// `peer_data` are the associated data sent with the shares (ADa, ADb).
    std::optional<CpaceKey> finish(Role role, const CpaceShare &peer, ByteView own_data,
                                   ByteView peer_data);

private:
    friend class CpaceVectors;
    Cpace(const CpaceInput &input, const SecretKey &scalar);

    /// All zeros once used.
    SecretKey scalar_;
    CpaceShare share_{};
    Bytes session_;
};

} // namespace thru
