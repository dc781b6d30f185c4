// Decides when two sides search for a direct path while their connection is relayed, and which
// messages they exchange: messages and time in, messages out. LinkPaths owns the agents.
// Normative text: docs/protocol.md#finding-a-direct-path. Network thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "link/link_binding.h"
#include "wire/control.h"

namespace thru {

/// Maximum attempts to move to one path; each takes several round trips.
inline constexpr int kMaxSearchTries = 3;

class PathSearch {
public:
    explicit PathSearch(LinkRole role) : role_(role) {}

    /// Records that the connection is now relayed, or no longer.
    void set_relayed(bool relayed, Timestamp now);
    void on_network_change(Timestamp now);
    /// Returns the other side's candidates for the search in progress, which this message may
    /// begin. PeerProtocol if it breaks the rules.
    Result<std::vector<std::string>> on_message(const FindPath &message, Timestamp now);
    /// Takes a candidate of this side for the search in progress.
    void announce(std::string_view line);
    /// Begins and ends searches; must be called no later than `deadline`.
    void on_deadline(Timestamp now);
    Timestamp deadline() const;
    /// The number of the search in progress, or 0.
    std::uint16_t under_way() const { return under_way_ ? number_ : std::uint16_t{0}; }
    /// Delays the search's end while its path is tried, at most kMaxSearchTries times.
    void hold(Timestamp now);
    /// Ends the search, after it has found a path or failed.
    void end(Timestamp now);
    /// The path that was found failed: postpones the next search, longer each time.
    void put_off(Timestamp now);

    std::vector<FindPath> take_messages() { return std::exchange(messages_, {}); }

private:
    void begin(std::uint16_t number, Timestamp now);
    void begin_soon(Timestamp now);
    /// Receiver: true if searches can help, and the limit is not reached.
    bool may_begin() const;

    LinkRole role_;
    bool relayed_ = false;
    std::uint16_t number_ = 0;
    bool under_way_ = false;
    bool answered_ = false;
    Timestamp ends_at_ = kNever;
    /// Receiver: time of the next search.
    Timestamp next_at_ = kNever;
    /// Earliest time of the next search, even if requested.
    Timestamp earliest_ = 0;
    /// Sender: time from which it may request a search again.
    Timestamp ask_from_ = 0;
    std::uint32_t begun_ = 0;
    /// Counts since the last network change.
    std::size_t failures_ = 0;
    std::uint32_t put_offs_ = 0;
    std::uint32_t unanswered_ = 0;
    /// Number of candidates sent and received in the search in progress.
    std::size_t announced_ = 0;
    std::size_t taken_ = 0;
    std::vector<FindPath> messages_;
};

} // namespace thru
