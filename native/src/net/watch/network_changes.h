#pragma once

namespace thru {

/// Opens a non-blocking socket that becomes readable when an address, interface or route changes;
/// -1 on failure. Its messages are discarded, and the current state is queried instead.
int open_network_changes();

} // namespace thru
