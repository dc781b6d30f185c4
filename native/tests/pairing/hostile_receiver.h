// A receiver that knows the secret and may send any message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "crypto/cpace.h"
#include "crypto/random.h"
#include "pairing/associated_data.h"
#include "pairing/description.h"
#include "pairing/key_schedule.h"
#include "pairing/pairing_ends.h"
#include "pairing/payload.h"
#include "pairing/sealed_channel.h"

namespace thru::test {

class HostileReceiverTest {
public:
    explicit HostileReceiverTest(const PairingSecret &secret = right_words()) {
        transcript_.nameplate = kNameplate;
        random_bytes(transcript_.run);
        cpace_.emplace(CpaceInput{.secret = secret.view(),
                                  .channel = channel_of(kNameplate),
                                  .session = transcript_.run});
        transcript_.receiver_share = cpace_->share();
        transcript_.receiver_data =
            encode_data(ReceiverData{.fingerprint = description("Evil").fingerprint,
                                     .kind = secret.kind(),
                                     .hint = secret.hint(transcript_.run)});
    }

    void say_more() { append_bytes(transcript_.receiver_data, as_bytes("\x04more")); }

    Pake1 ask() const {
        return {{.run = transcript_.run,
                 .share = transcript_.receiver_share,
                 .data = transcript_.receiver_data}};
    }

    /// The proof after this Pake2, with `message` in its box.
    Pake3 prove(std::string_view answer, ByteView message) {
        const auto pake = std::get<Pake2>(decode_payload(answer).value());
        transcript_.sender_share = pake.share;
        transcript_.sender_data = pake.data;
        const auto key = cpace_->finish(Cpace::Role::Initiator, pake.share,
                                        transcript_.receiver_data, pake.data);
        const auto schedule = schedule_keys(transcript_, key.value());
        channel_.emplace(PairingRole::Receiver, transcript_.run, schedule);
        return {{.run = transcript_.run,
                 .tag = schedule.receiver_tag,
                 .box = channel_->seal(message).box}};
    }

    std::string seal(std::string_view message) {
        return encode_payload(channel_->seal(as_bytes(message)));
    }

    /// Pairs up to the proof; returns the sender's reaction.
    Result<Events> pair_with(Pairing &sender, ByteView message) {
        if (auto asked = sender.on_payload(encode_payload(ask())); !asked) {
            return asked;
        }
        sender.admit(right_words());
        return sender.on_payload(encode_payload(prove(sender.take_payloads().at(0), message)));
    }

private:
    PairingTranscript transcript_;
    std::optional<Cpace> cpace_;
    std::optional<SealedChannel> channel_;
};

} // namespace thru::test
