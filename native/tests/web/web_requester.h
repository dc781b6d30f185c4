// A computer that requests files from a page.
#pragma once

#include "web/web_peer.h"

namespace thru::test {

class WebRequester final : public WebPeer<sim::ReceivingEnd> {
public:
    WebRequester(std::string nameplate, const std::string &words, ReceiverChoices choices = {})
        : WebPeer(std::move(choices)) {
        pairing_ = Pairing::receiver(std::move(nameplate), PairingSecret::words(words),
                                     {.fingerprint = identity_.fingerprint(), .name = "Jonas"});
        pairing_->send_candidates_done();
    }

    /// Reads no more of the transfer, as a requester whose disk is stuck.
    void hold() { held_ = true; }

    void on_signal(std::string_view payload, Timestamp now) {
        const auto events = pairing_->on_payload(payload);
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

private:
    bool may_close() const override { return end_.released(); }
    void on_established() override {
        begin_binding(LinkRole::Receiver);
        end_.on_established();
        write_binding();
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

    Fingerprint page_{};
    std::optional<ErrorCode> failed_;
    bool held_ = false;
};

} // namespace thru::test
