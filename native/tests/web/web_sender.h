// A sender for a page's receiver, without sockets: pairing, QUIC and a transfer over one stream of
// datagrams, in virtual time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "crypto/identity.h"
#include "link/control_stream.h"
#include "link/link_binding.h"
#include "net/length_frames.h"
#include "pairing/pairing.h"
#include "quic/connection.h"
#include "sim/transfer_ends.h"

namespace thru::test {

class WebSender final : private ConnectionListener, private DatagramPath {
public:
    WebSender(std::string nameplate, std::string words, std::shared_ptr<ManifestTable> manifest)
        : identity_(*Identity::create()), words_(std::move(words)),
          pairing_(Pairing::sender(std::move(nameplate),
                                   {.fingerprint = identity_.fingerprint(), .name = "Mina"})),
          end_(std::move(manifest), {}) {}

    sim::SendingEnd &end() { return end_; }
    std::vector<std::string> take_payloads() { return pairing_.take_payloads(); }
    bool paired() const { return paired_; }
    const PairingKeys &keys() const { return pairing_.keys(); }
    Connection *connection() { return connection_.get(); }
    /// The receiver gets a wrong proof of the pairing's keys.
    void bind_wrongly() { binds_wrongly_ = true; }

    void on_signal(std::string_view payload) {
        const auto events = pairing_.on_payload(payload);
        if (!events) {
            return;
        }
        for (const auto &event : *events) {
            if (std::holds_alternative<PairingRequested>(event)) {
                ASSERT_TRUE(pairing_.admit(PairingSecret::words(words_)).has_value());
            } else if (const auto *keyed = std::get_if<PairingKeyed>(&event)) {
                receiver_ = keyed->fingerprint;
            } else if (std::holds_alternative<PairingProven>(event)) {
                paired_ = true;
                connection_ = Connection::server(*identity_.server_context(receiver_), {}, *this);
                end_.attach(*connection_);
            }
        }
    }

    void on_bytes(ByteView bytes, Timestamp now) {
        frames_.receive(bytes, [&](ByteView datagram) {
            connection_->on_datagrams(datagram, datagram.size(), now);
            return true;
        });
    }

    Bytes take_output() { return std::exchange(out_, {}); }

    void service(Timestamp now) {
        if (!connection_) {
            return;
        }
        connection_->on_deadline(now);
        if (bound_ && !connection_->closed()) {
            end_.pump();
        }
        connection_->flush(*this, now);
    }

    Timestamp deadline() const { return connection_ ? connection_->deadline() : kNever; }

private:
    void on_established() override {
        const auto key = connection_->exported(kBindLabel, keys().transcript);
        ASSERT_TRUE(key.has_value());
        binding_.emplace(LinkRole::Sender, keys(), *key, std::nullopt);
    }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        if (stream == kControlStream && !bound_) {
            const auto taken = binding_->receive(bytes);
            ASSERT_TRUE(taken.has_value());
            bytes = bytes.subspan(*taken);
            if (!binding_->done()) {
                return;
            }
            bound_ = true;
            auto own = binding_->own();
            own.back() ^= binds_wrongly_ ? 1 : 0;
            connection_->write(kControlStream, own, false);
            if (bytes.empty()) {
                return;
            }
        }
        end_.on_stream_data(stream, bytes, fin);
    }
    void on_stream_reset(StreamId stream) override { end_.on_stream_reset(stream); }
    void on_stream_closed(StreamId stream) override { end_.on_stream_closed(stream); }
    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &) override {
        append_length_frames(out_, bytes, segment_bytes);
        return {.bytes = bytes.size()};
    }

    Identity identity_;
    std::string words_;
    Pairing pairing_;
    sim::SendingEnd end_;
    Fingerprint receiver_{};
    bool paired_ = false;
    bool bound_ = false;
    bool binds_wrongly_ = false;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;
    LengthFrames frames_;
    Bytes out_;
};

} // namespace thru::test
