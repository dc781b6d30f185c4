// When two sides look for a direct path beside the relayed one that their connection goes by, and
// what they say about it: messages and time in, messages out. The agents are those of LinkPaths.
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

/// How often the connection tries to move to one path: each takes some round trips.
inline constexpr int kMaxSearchTries = 3;

class PathSearch {
public:
    explicit PathSearch(LinkRole role) : role_(role) {}

    /// The connection goes by a relay from now on, or does no longer.
    void set_relayed(bool relayed, Timestamp now);
    /// This computer has other addresses than before.
    void on_network_change(Timestamp now);
    /// Candidates of the other side for the search that is under way, which this may begin.
    /// PeerProtocol when it breaks the rules.
    Result<std::vector<std::string>> on_message(const FindPath &message, Timestamp now);
    /// A candidate of this side for the search that is under way.
    void announce(std::string_view line);
    /// Begins and ends searches; to be called at `deadline`, at the latest.
    void on_deadline(Timestamp now);
    Timestamp deadline() const;
    /// 0 when none is.
    std::uint16_t under_way() const { return under_way_ ? number_ : std::uint16_t{0}; }
    /// Its path is being tried, at most kMaxSearchTries times: it does not end meanwhile.
    void hold(Timestamp now);
    /// It has led to a path, or can't.
    void end(Timestamp now);
    /// What was found was no good: the next one is far off, and the farther the more often.
    void put_off(Timestamp now);

    std::vector<FindPath> take_messages() { return std::exchange(messages_, {}); }

private:
    void begin(std::uint16_t number, Timestamp now);
    void begin_soon(Timestamp now);
    /// Receiver: searches are worth while, and there were not too many.
    bool may_begin() const;

    LinkRole role_;
    bool relayed_ = false;
    /// Of the latest search.
    std::uint16_t number_ = 0;
    bool under_way_ = false;
    bool answered_ = false;
    Timestamp ends_at_ = kNever;
    /// Receiver: when the next one begins.
    Timestamp next_at_ = kNever;
    /// Not before this, whoever asks.
    Timestamp earliest_ = 0;
    /// Sender: when it may ask for a search again.
    Timestamp ask_from_ = 0;
    std::uint32_t begun_ = 0;
    /// Since the network changed.
    std::size_t failures_ = 0;
    std::uint32_t put_offs_ = 0;
    std::uint32_t unanswered_ = 0;
    /// Candidates of this side and of the other one, in the search that is under way.
    std::size_t announced_ = 0;
    std::size_t taken_ = 0;
    std::vector<FindPath> messages_;
};

} // namespace thru
