// Two QUIC connections over a simulated link in virtual time: delay, rate, queue and seeded loss.
// An hour of waiting takes no time, and the same seed gives the same run.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/clock.h"
#include "net/datagram_path.h"
#include "quic/connection.h"

namespace thru::sim {

struct LinkConfig {
    Timestamp one_way_delay = 5 * kMillisecond;
    /// Bytes a second.
    double rate = 12.5e6;
    /// Bytes that wait at the bottleneck before more are dropped.
    std::size_t queue = 256 * 1024;
    double loss = 0;
    std::uint32_t seed = 1;
    /// Share of datagrams that are held back on their way, by up to `held_most`, so that later ones
    /// overtake them.
    double held = 0;
    Timestamp held_least = 0;
    Timestamp held_most = 0;
    /// A radio that waits for its turn, in order: so often on average nothing leaves for up to
    /// `turn_most`, and then at once what has come in the meantime. 0 for never.
    Timestamp turn_every = 0;
    Timestamp turn_most = 0;
    /// A delay that moves, in order: up to `wander_most` more, towards another one every 10 ms.
    Timestamp wander_most = 0;
    /// Loss in bursts (Gilbert's model): chance that one begins with a datagram, and how many are
    /// lost in one on average.
    double burst_begins = 0;
    double burst_length = 1;
    /// A policer in place of a queue: what is beyond `queue` bytes of credit is dropped, and
    /// nothing waits.
    bool polices = false;
};

/// A link of a round trip and a rate, whose queue holds so many bandwidth-delay products.
LinkConfig link_of(double round_trip_ms, double megabits, double queue = 1);

/// What waits at a bottleneck. Several links that share one share its rate and its queue.
struct SharedQueue {
    Timestamp free_at = 0;
};

/// One direction.
class VirtualLink final : public DatagramPath {
public:
    VirtualLink(const LinkConfig &config, const Timestamp &now)
        : config_(config), now_(now), random_(config.seed) {}
    VirtualLink(const VirtualLink &) = delete;
    VirtualLink &operator=(const VirtualLink &) = delete;

    /// The ends know it as their path of this number; 0 unless set.
    void set_number(std::uint16_t number) { number_ = number; }
    /// Waits in `queue`, which outlives the link, together with links of the same rate and queue.
    void share(SharedQueue &queue) { queue_ = &queue; }

    Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) override;

    /// When the next datagram arrives, kNever when none is on its way.
    Timestamp next_arrival() const { return flying_.empty() ? kNever : flying_.begin()->first; }
    void deliver(Connection &to);
    /// Larger datagrams vanish or, with `refuses`, are refused.
    void set_largest(std::size_t bytes, bool refuses) {
        largest_ = bytes;
        refuses_ = refuses;
    }
    void set_loss(double loss) { config_.loss = loss; }
    /// It says that it is a stream, whatever becomes of datagrams.
    void set_in_stream(bool in_stream) { in_stream_ = in_stream; }
    /// What is sent from now on comes from there, as after a change in a router.
    void set_source(const Address &source) { source_ = source; }
    /// What goes elsewhere vanishes from now on.
    void set_destination(const Address &destination) { destination_ = destination; }
    /// Bytes a second from now on, also for what waits.
    void set_rate(double rate);
    /// How long a datagram that is sent now waits at the bottleneck.
    Timestamp waiting() const {
        return config_.polices || queue_->free_at < now_ ? 0 : queue_->free_at - now_;
    }
    /// Bytes given to the link, lost or not.
    std::uint64_t bytes_sent() const { return bytes_sent_; }
    /// How often datagrams were given to the link, several at once or one alone.
    std::uint64_t calls() const { return calls_; }
    /// What happens to the datagram of this number, the first being 0: one copy arrives for each
    /// delay, in addition to the link's own.
    using Fate = std::function<std::vector<Timestamp>(std::size_t number)>;
    void set_fate(Fate fate) { fate_ = std::move(fate); }

private:
    struct Datagram {
        Bytes bytes;
        Address from;
    };
    void fly(ByteView datagram, Timestamp arrives);
    bool loses();
    Timestamp held_back();
    Timestamp after_its_turn(Timestamp leaves);
    Timestamp wandering(Timestamp leaves);
    LinkConfig config_;
    const Timestamp &now_;
    std::mt19937 random_;
    /// By the time of their arrival.
    std::multimap<Timestamp, Datagram> flying_;
    std::uint16_t number_ = 0;
    bool in_stream_ = false;
    SharedQueue own_queue_;
    SharedQueue *queue_ = &own_queue_;
    Fate fate_;
    std::size_t sent_ = 0;
    std::uint64_t bytes_sent_ = 0;
    std::uint64_t calls_ = 0;
    bool in_burst_ = false;
    /// The next or present wait of a radio.
    Timestamp turn_begins_ = 0;
    Timestamp turn_ends_ = 0;
    /// The delay moves from the first of these to the second, which it reaches at `wander_ends_`.
    std::array<double, 2> wander_{};
    Timestamp wander_ends_ = 0;
    Timestamp last_arrival_ = 0;
    Address source_;
    Address destination_;
    std::size_t largest_ = 65'535;
    bool refuses_ = false;
};

/// Both directions of a line, each of its own.
struct Line {
    Line(const LinkConfig &config, const Timestamp &now)
        : to_receiver(config, now), to_sender(config, now) {}
    VirtualLink to_receiver;
    VirtualLink to_sender;
    void set_loss(double loss) {
        to_receiver.set_loss(loss);
        to_sender.set_loss(loss);
    }
};

/// A receiver (client) and a sender (server) that trust each other.
class Pair {
public:
    Pair(const LinkConfig &config, ConnectionListener &sender, ConnectionListener &receiver,
         const ConnectionSettings &settings = {}, Timestamp begins = kSecond);
    /// With other fingerprints than the real ones, to see them refused.
    Pair(const LinkConfig &config, ConnectionListener &sender, ConnectionListener &receiver,
         const Fingerprint &sender_expects, const Fingerprint &receiver_expects);

    /// Runs until `done` or until `seconds` of virtual time passed. True when done.
    template <class Done> bool run_until(Done done, double seconds = 60) {
        const auto end = now_ + static_cast<Timestamp>(seconds * static_cast<double>(kSecond));
        while (!done()) {
            if (!step(end)) {
                return done();
            }
        }
        return true;
    }

    /// The parts of a step, for several pairs at one time: sends what may be sent, true when there
    /// is more; when something happens next; and lets time pass until `to`.
    bool flush();
    Timestamp next_event() const;
    void advance(Timestamp to);

    Connection &sender() { return *sender_; }
    Connection &receiver() { return *receiver_; }
    Timestamp now() const { return now_; }
    VirtualLink &to_receiver() { return to_receiver_; }
    VirtualLink &to_sender() { return to_sender_; }
    /// One more line between the two, which both know as their path number 1.
    Line &add_line(const LinkConfig &config);
    /// A router gives one of them another address, and forgets the one before.
    void move_receiver(const Address &to) {
        to_sender_.set_source(to);
        to_receiver_.set_destination(to);
    }
    void move_sender(const Address &to) {
        to_receiver_.set_source(to);
        to_sender_.set_destination(to);
    }
    const Fingerprint &sender_fingerprint() const { return sender_identity_.fingerprint(); }

private:
    /// Settings by which chance is drawn from the seed.
    ConnectionSettings drawing(ConnectionSettings settings);
    bool step(Timestamp end);

    Timestamp now_ = kSecond;
    std::mt19937 random_;
    Identity sender_identity_;
    Identity receiver_identity_;
    VirtualLink to_receiver_;
    VirtualLink to_sender_;
    std::optional<Line> second_;
    std::unique_ptr<Connection> sender_;
    std::unique_ptr<Connection> receiver_;
};

} // namespace thru::sim
