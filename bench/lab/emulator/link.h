// One direction between two places: a bottleneck with a queue, then loss, then a delay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frame.h"

/// A time of the monotonic clock, or a duration, in nanoseconds.
using Nanoseconds = std::int64_t;

/// Random numbers that repeat for the same seed (xorshift64*).
class Random {
public:
    explicit Random(std::uint64_t seed)
        : state_(seed * 0x9E3779B97F4A7C15U + 0x2545F4914F6CDD1DU) {}
    /// Returns a number in (0, 1).
    double next();

private:
    std::uint64_t state_;
};

struct LinkOptions {
    double delay_us = 0;
    /// Maximum deviation of the delay, which changes slowly and keeps the order.
    double jitter_us = 0;
    /// Bits per second on the wire; 0 means no limit and no queue.
    double rate_bits = 0;
    double queue_bytes = 0;
    /// Fraction of the packets that are lost, `loss_burst` at a time.
    double loss = 0;
    double loss_burst = 1;
    /// Fraction of the packets that are late by a random time between the two limits.
    double late = 0;
    double late_least_us = 0;
    double late_most_us = 0;

    /// Sets an option by name; returns false if it doesn't exist.
    bool set(const std::string &name, double value);
};

struct LinkFigures {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lost = 0;
    std::uint64_t overflowed = 0;
    /// Packets delivered more than 1 ms late, because the emulator had no processor.
    std::uint64_t tardy = 0;
};

class Link {
public:
    static constexpr Nanoseconds kNever = INT64_MAX;

    explicit Link(std::uint64_t seed) : random_(seed) {}

    /// Packets in flight keep their delivery times.
    void configure(const LinkOptions &options);
    void admit(const FrameView &frame, Nanoseconds now);
    /// Writes the packets that are due to a device; returns when the next one is due.
    Nanoseconds deliver(int device, Nanoseconds now);
    const LinkFigures &figures() const { return figures_; }

private:
    struct Waiting {
        Nanoseconds due;
        std::uint64_t number;
        std::size_t segments;
        Frame frame;
    };
    static bool is_later(const Waiting &a, const Waiting &b);

    bool passes_bottleneck(std::size_t bytes, Nanoseconds now, Nanoseconds &out);
    bool is_lost();
    void draw_next_loss();
    Nanoseconds jitter(Nanoseconds now);
    void enqueue(Frame frame, std::size_t segments, Nanoseconds out, Nanoseconds lateness);

    LinkOptions options_;
    LinkFigures figures_;
    Random random_;
    Nanoseconds free_at_ = 0;
    Nanoseconds last_due_ = 0;
    std::uint64_t until_loss_ = UINT64_MAX;
    std::uint64_t losing_ = 0;
    Nanoseconds drift_begins_ = 0;
    Nanoseconds drift_ends_ = 0;
    double drift_from_ = 0;
    double drift_to_ = 0;
    std::uint64_t number_ = 0;
    std::vector<Waiting> waiting_;
};
