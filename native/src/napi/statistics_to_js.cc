#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "napi/convert.h"
#include "napi/event_names.h"

namespace thru {

namespace {

double milliseconds(Timestamp nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

/// 0 if `to` is 0.
double ratio(std::uint64_t of, std::uint64_t to) {
    return to == 0 ? 0 : static_cast<double>(of) / static_cast<double>(to);
}

} // namespace

Napi::Object statistics_to_js(Napi::Env env, const StatisticsEvent &event) {
    const auto &figures = event.statistics;
    auto value = Napi::Object::New(env);
    const auto count = [&](const char *name, std::uint64_t number) {
        value.Set(name, static_cast<double>(number));
    };
    const auto known = [&](const char *name, std::optional<std::uint64_t> number) {
        value.Set(name, number ? Napi::Value(Napi::Number::New(env, static_cast<double>(*number)))
                               : env.Null());
    };
    value.Set("rttMs", milliseconds(figures.smoothed_rtt));
    value.Set("minRttMs", milliseconds(figures.min_rtt));
    value.Set("latestRttMs", milliseconds(figures.latest_rtt));
    value.Set("handshakeMs", milliseconds(figures.handshake));
    value.Set("congestionControl",
              figures.congestion_control == CongestionControl::Bbr ? "bbr" : "cubic");
    value.Set("carefulResume", careful_resume_name(figures.careful_resume));
    count("congestionWindow", figures.congestion_window);
    count("bytesInFlight", figures.bytes_in_flight);
    known("pacingRate", figures.pacing_rate);
    known("slowStartThreshold", figures.slow_start_threshold);
    count("packetsSent", figures.packets_sent);
    count("bytesSent", figures.bytes_sent);
    count("packetsReceived", figures.packets_received);
    count("bytesReceived", figures.bytes_received);
    count("packetsLost", figures.packets_lost);
    count("bytesLost", figures.bytes_lost);
    known("packetsLate", figures.packets_late);
    count("deliveryRate", event.delivery_rate);
    count("compressionSaved", event.compression_saved);
    count("datagramBytes", figures.datagram_bytes);
    value.Set("datagramsPerSend", ratio(figures.datagrams_sent, figures.sends));
    value.Set("datagramsPerReceive", ratio(figures.datagrams_received, figures.receives));
    value.Set("limitedBy", bottleneck_name(figures.limited_by));
    auto limited = Napi::Object::New(env);
    for (std::size_t index = 0; index < kBottlenecks; ++index) {
        const auto time = figures.limited_for.at(index);
        if (time > 0) {
            limited.Set(bottleneck_name(static_cast<Bottleneck>(index)), milliseconds(time));
        }
    }
    value.Set("limitedMs", limited);
    if (event.qlog) {
        auto log = Napi::Object::New(env);
        log.Set("bytes", static_cast<double>(event.qlog->bytes));
        log.Set("dropped", static_cast<double>(event.qlog->dropped));
        const auto &error = event.qlog->error;
        log.Set("ended", error ? std::string(error_name(error->code)) : std::string{});
        value.Set("qlog", log);
    }
    return value;
}

} // namespace thru
