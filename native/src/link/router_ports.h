// The ports of links that a router may map. JavaScript queries the routers: it gets each port,
// answers it once, and is notified when the port is closed. Network thread only.
#pragma once

#include <map>

#include "link/link_events.h"
#include "path/candidate_line.h"

namespace thru {

class CandidateNegotiation;

class RouterPorts {
public:
    explicit RouterPorts(const LinkEventReport &report) : report_(report) {}

    /// `owner` waits for an answer until `close`, which its destructor calls.
    void open(SessionNumber session, const UdpPort &port, CandidateNegotiation &owner) {
        owners_.insert_or_assign(port, &owner);
        report_(PortOpenedEvent{session, port});
    }

    void close(const CandidateNegotiation &owner) {
        std::erase_if(owners_, [&](const auto &each) {
            if (each.second == &owner) {
                report_(PortClosedEvent{.port = each.first});
            }
            return each.second == &owner;
        });
    }

    /// Returns nullptr if the port is closed.
    CandidateNegotiation *owner_of(const UdpPort &port) const {
        const auto found = owners_.find(port);
        return found == owners_.end() ? nullptr : found->second;
    }

private:
    const LinkEventReport &report_;
    std::map<UdpPort, CandidateNegotiation *> owners_;
};

} // namespace thru
