// A computer that requests files from a page, without sockets: pairing, QUIC and a transfer over
// one stream of datagrams, in virtual time.
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

class WebRequester final : private ConnectionListener, private DatagramPath {
public:
    WebRequester(std::string nameplate, const std::string &words, ReceiverChoices choices = {})
        : identity_(*Identity::create()),
          pairing_(Pairing::receiver(std::move(nameplate), PairingSecret::words(words),
                                     {.fingerprint = identity_.fingerprint(), .name = "Jonas"})),
          end_(std::move(choices)) {
        pairing_.send_candidates_done();
    }

    sim::ReceivingEnd &end() { return end_; }
    std::vector<std::string> take_payloads() { return pairing_.take_payloads(); }
    bool paired() const { return paired_; }
    const PairingKeys &keys() const { return pairing_.keys(); }
    Connection *connection() { return connection_.get(); }
    /// The page gets a wrong proof of the pairing's keys.
    void bind_wrongly() { binds_wrongly_ = true; }
    /// Reads no more of the transfer, as a requester whose disk is stuck.
    void hold() { held_ = true; }

    void on_signal(std::string_view payload, Timestamp now) {
        const auto events = pairing_.on_payload(payload);
        if (!events) {
            failed_ = events.error().code;
            return;
        }
        for (const auto &event : *events) {
            if (const auto *keyed = std::get_if<PairingKeyed>(&event)) {
                page_ = keyed->fingerprint;
            } else if (std::holds_alternative<PairingProven>(event)) {
                paired_ = true;
                connection_ = std::move(
                    *Connection::client(*identity_.client_context(page_), {}, *this, now));
                end_.attach(*connection_);
            }
        }
    }
    const std::optional<ErrorCode> &failed() const { return failed_; }

    void on_bytes(ByteView bytes, Timestamp now) {
        frames_.receive(bytes, [&](ByteView datagram) {
            if (connection_) {
                connection_->on_datagrams(datagram, datagram.size(), now);
            }
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
            if (end_.released()) {
                connection_->close(std::nullopt, *this, now);
            }
        }
        connection_->flush(*this, now);
    }

    Timestamp deadline() const { return connection_ ? connection_->deadline() : kNever; }

private:
    void on_established() override {
        const auto key = connection_->exported(kBindLabel, keys().transcript);
        ASSERT_TRUE(key.has_value());
        binding_.emplace(LinkRole::Receiver, keys(), *key, std::nullopt);
        end_.on_established();
        auto own = binding_->own();
        own.back() ^= binds_wrongly_ ? 1 : 0;
        connection_->write(kControlStream, own, false);
    }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        if (stream == kControlStream && !bound_) {
            const auto taken = binding_->receive(bytes);
            ASSERT_TRUE(taken.has_value());
            bytes = bytes.subspan(*taken);
            bound_ = binding_->done();
        }
        if (!held_) {
            end_.on_stream_data(stream, bytes, fin);
        }
    }
    void on_stream_reset(StreamId stream) override { end_.on_stream_reset(stream); }
    void on_stream_closed(StreamId stream) override { end_.on_stream_closed(stream); }
    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &) override {
        append_length_frames(out_, bytes, segment_bytes);
        return {.bytes = bytes.size()};
    }

    Identity identity_;
    Pairing pairing_;
    sim::ReceivingEnd end_;
    Fingerprint page_{};
    std::optional<ErrorCode> failed_;
    bool paired_ = false;
    bool bound_ = false;
    bool binds_wrongly_ = false;
    bool held_ = false;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;
    LengthFrames frames_;
    Bytes out_;
};

} // namespace thru::test
