// The other side of a page, without sockets: pairing, QUIC and a transfer over one stream of
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

/// `End`: sim::SendingEnd or sim::ReceivingEnd.
template <class End> class WebPeer : protected ConnectionListener, private DatagramPath {
public:
    End &end() { return end_; }
    std::vector<std::string> take_payloads() { return pairing_->take_payloads(); }
    bool paired() const { return paired_; }
    const PairingKeys &keys() const { return pairing_->keys(); }
    Connection *connection() { return connection_.get(); }
    /// The page gets a wrong proof of the pairing's keys.
    void bind_wrongly() { binds_wrongly_ = true; }

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
            if (may_close()) {
                connection_->close(std::nullopt, *this, now);
            }
        }
        connection_->flush(*this, now);
    }

    Timestamp deadline() const { return connection_ ? connection_->deadline() : kNever; }

protected:
    /// `end` constructs the End. The derived class sets `pairing_`.
    template <class... Arguments>
    explicit WebPeer(Arguments &&...end)
        : identity_(*Identity::create()), end_(std::forward<Arguments>(end)...) {}

    virtual bool may_close() const { return false; }
    void begin_binding(LinkRole role) {
        const auto key = connection_->exported(kBindLabel, keys().transcript);
        ASSERT_TRUE(key.has_value());
        binding_.emplace(role, keys(), *key, std::nullopt);
    }
    void write_binding() {
        auto own = binding_->own();
        own.back() ^= binds_wrongly_ ? 1 : 0;
        connection_->write(kControlStream, own, false);
    }
    void on_stream_reset(StreamId stream) override { end_.on_stream_reset(stream); }
    void on_stream_closed(StreamId stream) override { end_.on_stream_closed(stream); }
    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &) override {
        append_length_frames(out_, bytes, segment_bytes);
        return {.bytes = bytes.size()};
    }

    Identity identity_;
    std::optional<Pairing> pairing_;
    End end_;
    bool paired_ = false;
    bool bound_ = false;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;

private:
    bool binds_wrongly_ = false;
    LengthFrames frames_;
    Bytes out_;
};

} // namespace thru::test
