// A receiver that sends anything to a real sharing engine, over real pairing, ICE and QUIC.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/contact_exchange.h"
#include "engine/engine_pair.h"
#include "engine/hostile/flood.h"
#include "link/link_binding.h"
#include "path/ice_path.h"
#include "quic/connection.h"
#include "wire/control.h"
#include "wire/manifest.h"

namespace thru {

class HostileReceiver final : private IceListener, private ConnectionListener {
public:
    struct Options {
        /// Replaces its correct binding.
        std::function<Bytes(Bytes right)> binding = [](Bytes right) { return right; };
        /// Grants credit for received data.
        bool reads = true;
        /// Like set_deaf, once the handshake has ended.
        bool deaf = false;
        /// Replaces each announced candidate.
        std::function<std::string(std::string_view line)> candidate = [](std::string_view line) {
            return std::string{line};
        };
        /// Replaces each candidate of the sender.
        std::function<std::string(std::string_view line)> peer_candidate =
            [](std::string_view line) { return std::string{line}; };
        /// The secret of its pairing; the right words by default.
        PairingSecret secret = PairingSecret::words(EnginePair::kWords);
    };
    /// Joins the share of `pair` as `peer`.
    HostileReceiver(EnginePair &pair, std::string peer, Options options);
    HostileReceiver(EnginePair &pair, std::string peer)
        : HostileReceiver(pair, std::move(peer), Options{}) {}
    ~HostileReceiver() override;

    const std::string &peer() const { return peer_; }

    // Messages it sends once connected; from any thread, in this order.

    void control(const ControlMessage &message);
    void control_bytes(Bytes bytes);
    /// Allows the sender to open this many more streams.
    void allow_streams(std::uint64_t count);
    /// Starts or stops losing all datagrams.
    void set_deaf(bool deaf);
    /// Ends its control stream, or resets it.
    void end_control();
    void reset_control();
    /// Sends `count` messages until the connection ends; returns the number sent.
    std::uint64_t flood(std::uint64_t count, Flood::Make make);

    // Waiting: the test fails after half a minute.

    /// The first control message of this type that `fits`.
    template <class M>
    M wait_for(const std::function<bool(const M &)> &fits = [](const M &) { return true; }) {
        std::optional<M> found;
        wait_until([&] {
            for (const auto &message : received_) {
                if (const auto *wanted = std::get_if<M>(&message); wanted && fits(*wanted)) {
                    found = *wanted;
                    return true;
                }
            }
            return false;
        });
        return found.value_or(M{});
    }
    /// Waits for the end of the handshake; returns this connection's right binding.
    Bytes wait_for_connection();
    /// Waits for checkpoint `number`, counted from 0; returns the number of entries before it.
    std::uint64_t wait_for_checkpoint(std::size_t number);
    /// Waits for this many bytes on all streams, including the sender's binding.
    void wait_for_bytes(std::uint64_t bytes);
    /// Waits for `text` on any stream.
    void wait_for_text(std::string_view text);
    /// Waits for the end; returns its reason.
    Error wait_for_end();

    // Data received so far.

    std::uint64_t bytes();
    bool has_text(std::string_view text);
    /// True if the sender allows one more stream of either kind.
    bool may_open_stream();
    /// The contact exchange of its connection.
    ContactExchange contact_exchange();

private:
    void on_local_candidate(std::string_view line) override;
    void on_local_candidates_done() override;
    void on_ice_ready() override;
    void on_ice_failed() override;
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override;
    void on_writable() override {}
    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}

    void run();
    void prepare();
    void turn();
    void act(std::function<void()> action);
    void go_on_flooding();
    void on_signal(const std::string &payload);
    void send_payloads();
    void take_list(ByteView bytes);
    void end(Error error);
    void wait_until(const std::function<bool()> &reached);
    bool seen(std::string_view text) const;

    EnginePair &pair_;
    std::string peer_;
    Options options_;

    // Used by its own thread only.
    EventLoop loop_;
    std::optional<Identity> identity_;
    std::unique_ptr<IcePath> path_;
    std::optional<Pairing> pairing_;
    Fingerprint sender_{};
    bool gathered_ = false;
    bool proven_ = false;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;
    ControlDecoder decoder_;
    bool deaf_ = false;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> actions_;
    bool stopped_ = false;
    std::optional<Bytes> right_binding_;
    std::vector<ControlMessage> received_;
    std::map<StreamId, std::string> streams_;
    std::optional<ManifestDecoder> list_;
    std::vector<std::uint64_t> checkpoints_;
    std::uint64_t bytes_ = 0;
    std::optional<Error> ended_;
    std::optional<Flood> flood_;
    std::uint64_t flooded_ = 0;

    std::thread thread_;
};

} // namespace thru
