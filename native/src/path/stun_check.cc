#include "path/stun_check.h"

#include <algorithm>
#include <string>

#include "base/byte_reader.h"
#include "crypto/digest.h"

namespace thru {

namespace {

/// RFC 8489 sections 5 and 14.
constexpr std::uint16_t kCheckRequest = 0x0001;
constexpr std::uint16_t kCheckSuccess = 0x0101;
constexpr std::uint32_t kCheckCookie = 0x2112a442;
constexpr std::uint16_t kUsername = 0x0006;
/// MESSAGE-INTEGRITY-SHA256 in full length.
constexpr std::uint16_t kIntegrity = 0x001c;
constexpr std::size_t kAttributeHeaderBytes = 4;
constexpr std::size_t kIntegrityBytes = kAttributeHeaderBytes + sizeof(Digest);
constexpr std::size_t kAttributeAlignment = 4;

/// The side that receives the request comes first.
std::string username(const IceCredentials &asked, const IceCredentials &asking) {
    return asked.ufrag + ":" + asking.ufrag;
}

Bytes signed_message(std::uint16_t type, ByteView transaction, ByteView attributes,
                     const IceCredentials &key) {
    Bytes message;
    message.reserve(kMaxCheckBytes);
    append_big_endian(message, type, 2);
    append_big_endian(message, attributes.size() + kIntegrityBytes, 2);
    append_big_endian(message, kCheckCookie, 4);
    append_bytes(message, transaction);
    append_bytes(message, attributes);
    const auto tag = hmac_sha256(as_bytes(key.pwd.view()), message);
    append_big_endian(message, kIntegrity, 2);
    append_big_endian(message, sizeof(Digest), 2);
    append_bytes(message, tag);
    return message;
}

struct SignedMessage {
    std::uint16_t type = 0;
    StunTransaction transaction{};
    /// All attributes except the last one, which signs them.
    ByteView attributes;
};

/// Returns nullopt unless the last attribute is the correct tag.
std::optional<SignedMessage> open_message(ByteView message, const IceCredentials &key) {
    if (message.size() > kMaxCheckBytes) {
        return std::nullopt;
    }
    ByteReader reader(message);
    const auto type = reader.big_endian(2);
    const auto length = reader.big_endian(2);
    const auto cookie = reader.big_endian(4);
    const auto transaction = reader.bytes(sizeof(StunTransaction));
    if (!transaction || cookie != kCheckCookie || *length != reader.left() ||
        *length < kIntegrityBytes) {
        return std::nullopt;
    }
    const auto attributes = reader.bytes(*length - kIntegrityBytes);
    const auto signed_part = message.first(reader.consumed());
    const auto kind = reader.big_endian(2);
    const auto size = reader.big_endian(2);
    const auto given = reader.bytes(sizeof(Digest));
    if (kind != kIntegrity || size != sizeof(Digest) || !given) {
        return std::nullopt;
    }
    Digest tag{};
    std::ranges::copy(*given, tag.begin());
    if (!digests_equal(tag, hmac_sha256(as_bytes(key.pwd.view()), signed_part))) {
        return std::nullopt;
    }
    SignedMessage opened{.type = static_cast<std::uint16_t>(*type), .attributes = *attributes};
    std::ranges::copy(*transaction, opened.transaction.begin());
    return opened;
}

Bytes username_attribute(const std::string &name) {
    Bytes attribute;
    attribute.reserve(kMaxCheckBytes);
    append_big_endian(attribute, kUsername, 2);
    append_big_endian(attribute, name.size(), 2);
    append_bytes(attribute, as_bytes(name));
    attribute.resize((attribute.size() + kAttributeAlignment - 1) / kAttributeAlignment *
                     kAttributeAlignment);
    return attribute;
}

} // namespace

Bytes stun_check(const CheckCredentials &credentials, const StunTransaction &transaction) {
    const auto &[own, peer] = credentials;
    return signed_message(kCheckRequest, transaction, username_attribute(username(peer, own)),
                          peer);
}

std::optional<StunAnswer> answer_stun_check(ByteView message, const CheckCredentials &credentials) {
    const auto &[own, peer] = credentials;
    const auto opened = open_message(message, own);
    if (!opened || opened->type != kCheckRequest ||
        !std::ranges::equal(opened->attributes, username_attribute(username(own, peer)))) {
        return std::nullopt;
    }
    return StunAnswer{.transaction = opened->transaction,
                      .message = signed_message(kCheckSuccess, opened->transaction, {}, own)};
}

bool answers_stun_check(ByteView message, const CheckCredentials &credentials,
                        const StunTransaction &transaction) {
    const auto opened = open_message(message, credentials.peer);
    return opened && opened->type == kCheckSuccess && opened->transaction == transaction;
}

} // namespace thru
