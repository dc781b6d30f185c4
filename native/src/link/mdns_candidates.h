// Candidates with an mDNS name instead of an address. JavaScript gets each one, answers it once,
// and is notified when no link needs the answer anymore. Network thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "link/link_events.h"
#include "path/candidate_line.h"

namespace thru {

class CandidateNegotiation;

class MdnsCandidates {
public:
    /// A candidate, and the negotiation that needs its address.
    struct Asked {
        CandidateNegotiation *owner = nullptr;
        std::string line;
    };

    explicit MdnsCandidates(const LinkEventReport &report) : report_(report) {}

    /// `owner` waits for the address of `line` until `close`, which its destructor calls.
    void ask(SessionNumber session, std::string line, CandidateNegotiation &owner) {
        const auto question = ++latest_;
        report_(NameAskedEvent{session, question, std::string(candidate_address(line))});
        asked_.emplace(question, Asked{.owner = &owner, .line = std::move(line)});
    }

    void close(const CandidateNegotiation &owner) {
        std::erase_if(asked_, [&](const auto &each) {
            if (each.second.owner == &owner) {
                report_(NameDroppedEvent{.question = each.first});
            }
            return each.second.owner == &owner;
        });
    }

    /// Removes and returns the question with this number; nullopt if the answer is no longer
    /// needed.
    std::optional<Asked> take(NameQuestion question) {
        auto found = asked_.extract(question);
        return found ? std::optional(std::move(found.mapped())) : std::nullopt;
    }

private:
    const LinkEventReport &report_;
    NameQuestion latest_ = 0;
    std::map<NameQuestion, Asked> asked_;
};

} // namespace thru
