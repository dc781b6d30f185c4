// The ports of links that a router may map. JavaScript asks the routers: it hears of each port,
// answers each once, and hears when the port is closed. Network thread only.
#pragma once

#include <map>

#include "link/link_events.h"
#include "path/candidate_line.h"

namespace thru {

class PeerLink;

class RouterPorts {
public:
    explicit RouterPorts(const LinkEventReport &report) : report_(report) {}

    /// `link` is open there until `close`, which its destructor calls.
    void open(SessionNumber session, const UdpPort &port, PeerLink &link) {
        links_.insert_or_assign(port, &link);
        report_(PortOpenedEvent{session, port});
    }

    void close(const PeerLink &link) {
        std::erase_if(links_, [&](const auto &each) {
            if (each.second == &link) {
                report_(PortClosedEvent{.port = each.first});
            }
            return each.second == &link;
        });
    }

    /// nullptr when it is closed.
    PeerLink *link_at(const UdpPort &port) const {
        const auto found = links_.find(port);
        return found == links_.end() ? nullptr : found->second;
    }

private:
    const LinkEventReport &report_;
    std::map<UdpPort, PeerLink *> links_;
};

} // namespace thru
