// Candidates that have a name of mDNS in place of an address. JavaScript asks the local network: it
// hears of each candidate, answers each once, and hears when its link wants no answer any more.
// Network thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "link/link_events.h"
#include "path/candidate_line.h"

namespace thru {

class CandidateNegotiation;

class NameQuestions {
public:
    /// A candidate, and who wants the address.
    struct Asked {
        CandidateNegotiation *owner = nullptr;
        std::string line;
    };

    explicit NameQuestions(const LinkEventReport &report) : report_(report) {}

    /// `owner`, whose session this is, waits for the address of `line` until `close`, which its
    /// destructor calls.
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

    /// What has been asked under this number, which nobody waits for from here on; nullopt when
    /// nobody does.
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
