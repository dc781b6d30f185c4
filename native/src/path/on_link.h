// Whether another computer is on a network that this one is attached to.
#pragma once

struct sockaddr;

namespace thru {

/// True when `address` lies in the prefix of a local interface (or is the other end of a
/// point-to-point one, or this computer itself): packets reach it without a router.
bool is_on_link(const sockaddr &address);

} // namespace thru
