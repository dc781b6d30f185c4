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
    /// Bytes per second.
    double rate = 12.5e6;
    /// Bytes that may wait at the bottleneck before more are dropped.
    std::size_t queue = 256 * 1024;
    double loss = 0;
    std::uint32_t seed = 1;
    /// Share of datagrams held back by up to `held_max`, so that later ones overtake them.
    double held = 0;
    Timestamp held_min = 0;
    Timestamp held_max = 0;
    /// A radio that waits for its turn, without reordering: at this average interval nothing leaves
    /// for up to `turn_max`, then all waiting data leaves at once. 0 for never.
    Timestamp turn_every = 0;
    Timestamp turn_max = 0;
    /// A moving delay without reordering: up to `wander_max` more, with a new target every 10 ms.
    Timestamp wander_max = 0;
    /// Loss in bursts (Gilbert's model): the chance that a datagram begins one, and the mean number
    /// of datagrams lost in one.
    double burst_begins = 0;
    double burst_length = 1;
    /// A policer instead of a queue: drops data beyond `queue` bytes of credit; nothing waits.
    bool polices = false;
};

/// A link of a round trip and a rate, whose queue holds `queue` bandwidth-delay products.
LinkConfig link_of(double round_trip_ms, double megabits, double queue = 1);

/// The queue at a bottleneck. Links that share it also share its rate.
struct SharedQueue {
    Timestamp free_at = 0;
};

/// One direction of a line.
class VirtualLink final : public DatagramPath {
public:
    VirtualLink(const LinkConfig &config, const Timestamp &now)
        : config_(config), now_(now), random_(config.seed) {}
    VirtualLink(const VirtualLink &) = delete;
    VirtualLink &operator=(const VirtualLink &) = delete;

    /// The number of this path at both ends; 0 unless set.
    void set_number(std::uint16_t number) { number_ = number; }
    /// Waits in `queue`, which outlives the link, with links of the same rate and queue size.
    void share(SharedQueue &queue) { queue_ = &queue; }

    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override;

    /// Arrival time of the next datagram; kNever if none is in flight.
    Timestamp next_arrival() const { return flying_.empty() ? kNever : flying_.begin()->first; }
    void deliver(Connection &to);
    /// Larger datagrams vanish or, with `refuses`, are refused.
    void set_max_bytes(std::size_t bytes, bool refuses) {
        largest_ = bytes;
        refuses_ = refuses;
    }
    void set_loss(double loss) { config_.loss = loss; }
    /// Makes the link report that it is a stream, regardless of its datagrams.
    void set_in_stream(bool in_stream) { in_stream_ = in_stream; }
    /// Source address of later datagrams, as after a change in a router.
    void set_source(const Address &source) { source_ = source; }
    /// Later datagrams to other addresses vanish.
    void set_destination(const Address &destination) { destination_ = destination; }
    /// Rate in bytes per second, also for waiting data.
    void set_rate(double rate);
    /// Time that a datagram sent now waits at the bottleneck.
    Timestamp waiting() const {
        return config_.polices || queue_->free_at < now_ ? 0 : queue_->free_at - now_;
    }
    /// Bytes given to the link, lost or not.
    std::uint64_t bytes_sent() const { return bytes_sent_; }
    /// Number of calls that gave datagrams to the link, several at once or one alone.
    std::uint64_t calls() const { return calls_; }
    /// Delays of the copies of datagram `number`, counted from 0, in addition to the link's own
    /// delay. An empty result loses it.
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
    /// Ordered by arrival time.
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
    /// The next or current wait of a radio.
    Timestamp turn_begins_ = 0;
    Timestamp turn_ends_ = 0;
    /// The delay moves from the first value to the second, which it reaches at `wander_ends_`.
    std::array<double, 2> wander_{};
    Timestamp wander_ends_ = 0;
    Timestamp last_arrival_ = 0;
    Address source_;
    Address destination_;
    std::size_t largest_ = 65'535;
    bool refuses_ = false;
};

/// The two directions of a line.
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
    /// Makes the ends expect these fingerprints instead of the right ones.
    Pair(const LinkConfig &config, ConnectionListener &sender, ConnectionListener &receiver,
         const Fingerprint &sender_expects, const Fingerprint &receiver_expects);

    /// Runs until `done`, or until `seconds` of virtual time have passed. Returns true if done.
    template <class Done> bool run_until(Done done, double seconds = 60) {
        const auto end = now_ + static_cast<Timestamp>(seconds * static_cast<double>(kSecond));
        while (!done()) {
            if (!step(end)) {
                return done();
            }
        }
        return true;
    }

    /// The parts of a step, for several pairs in lockstep: flush sends allowed data and returns
    /// true if there is more; advance lets time pass until `to`.
    bool flush();
    Timestamp next_event() const;
    void advance(Timestamp to);

    Connection &sender() { return *sender_; }
    Connection &receiver() { return *receiver_; }
    Timestamp now() const { return now_; }
    VirtualLink &to_receiver() { return to_receiver_; }
    VirtualLink &to_sender() { return to_sender_; }
    /// Adds a line between the two, which both know as path number 1.
    Line &add_line(const LinkConfig &config);
    /// A router gives one end another address, and forgets the old one.
    void move_receiver(const Address &to) {
        to_sender_.set_source(to);
        to_receiver_.set_destination(to);
    }
    void move_sender(const Address &to) {
        to_receiver_.set_source(to);
        to_sender_.set_destination(to);
    }

private:
    /// Settings that draw random numbers from the seed.
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
