#include "path/relay/relay_reason.h"

#include "path/candidate_line.h"

namespace thru {

void CandidateKinds::Side::add(std::string_view line) {
    const auto address = candidate_field(line, 4);
    if (candidate_field(line, 7) == "relay") {
        relays = true;
        return;
    }
    others = true;
    internet = internet || (!address.empty() && is_of_internet(address));
}

RelayReason CandidateKinds::why(RelayUse own_use, bool only_tcp) const {
    if (own_use == RelayUse::Only) {
        return RelayReason::OwnChoice;
    }
    if (theirs_.relays && !theirs_.others) {
        return RelayReason::TheirChoice;
    }
    if (!own_.internet) {
        return only_tcp ? RelayReason::OwnUdp : RelayReason::OwnAddress;
    }
    return theirs_.internet ? RelayReason::Routers : RelayReason::TheirAddress;
}

} // namespace thru
