// A sender for a page's receiver.
#pragma once

#include <cstdint>
#include <set>

#include "web/web_peer.h"

namespace thru::test {

class WebSender final : public WebPeer<sim::SendingEnd> {
public:
    WebSender(std::string nameplate, std::string words, std::shared_ptr<ManifestTable> manifest)
        : WebPeer(std::move(manifest), std::set<std::uint64_t>{}), words_(std::move(words)) {
        pairing_ = Pairing::sender(std::move(nameplate),
                                   {.fingerprint = identity_.fingerprint(), .name = "Mina"});
    }

    void on_signal(std::string_view payload) {
        const auto events = pairing_->on_payload(payload);
        if (!events) {
            return;
        }
        for (const auto &event : *events) {
            if (std::holds_alternative<PairingRequested>(event)) {
                ASSERT_TRUE(pairing_->admit(PairingSecret::words(words_)).has_value());
            } else if (const auto *keyed = std::get_if<PairingKeyed>(&event)) {
                receiver_ = keyed->fingerprint;
            } else if (std::holds_alternative<PairingProven>(event)) {
                paired_ = true;
                connection_ = Connection::server(*identity_.server_context(receiver_), {}, *this);
                end_.attach(*connection_);
            }
        }
    }

private:
    void on_established() override { begin_binding(LinkRole::Sender); }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        if (stream == kControlStream && !bound_) {
            const auto taken = binding_->receive(bytes);
            ASSERT_TRUE(taken.has_value());
            bytes = bytes.subspan(*taken);
            if (!binding_->done()) {
                return;
            }
            bound_ = true;
            write_binding();
            if (bytes.empty()) {
                return;
            }
        }
        end_.on_stream_data(stream, bytes, fin);
    }

    std::string words_;
    Fingerprint receiver_{};
};

} // namespace thru::test
