#include "net/address.h"

namespace thru {

/// A page has no addresses: its only path is a stream.
Address::Address(const sockaddr &) {}

} // namespace thru
