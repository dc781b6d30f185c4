#include "pairing/sealed_channel.h"

#include "base/byte_reader.h"

namespace thru {

namespace {

const SecretKey &key_of(PairingRole role, const KeySchedule &schedule) {
    return role == PairingRole::Sender ? schedule.sender_boxes : schedule.receiver_boxes;
}

PairingRole other(PairingRole role) {
    return role == PairingRole::Sender ? PairingRole::Receiver : PairingRole::Sender;
}

} // namespace

SealedChannel::SealedChannel(PairingRole own, const PairingRun &run, const KeySchedule &schedule)
    : run_(run), own_{.from = own, .key = key_of(own, schedule)},
      peer_{.from = other(own), .key = key_of(other(own), schedule)} {}

Bytes SealedChannel::associated_data(const Direction &direction) const {
    Bytes associated;
    associated.reserve(2 + run_.size() + sizeof direction.next);
    associated.push_back(kPairingVersion);
    associated.push_back(static_cast<std::uint8_t>(direction.from));
    append_bytes(associated, run_);
    append_big_endian(associated, direction.next, sizeof direction.next);
    return associated;
}

SealedPayload SealedChannel::seal(ByteView message) {
    SealedPayload payload{.run = run_, .counter = own_.next, .box = {}};
    payload.box.nonce = random_box_nonce();
    payload.box.content = seal_box(own_.key, payload.box.nonce, associated_data(own_), message);
    ++own_.next;
    return payload;
}

std::optional<Bytes> SealedChannel::open(const SealedPayload &payload) {
    if (payload.run != run_ || payload.counter != peer_.next) {
        return std::nullopt;
    }
    auto message =
        open_box(peer_.key, payload.box.nonce, associated_data(peer_), payload.box.content);
    peer_.next += message ? 1 : 0;
    return message;
}

} // namespace thru
