// What POSIX systems tell about changes of the network.
#pragma once

namespace thru {

/// A socket that can be read after an address or an interface came or went; -1 when there is none.
/// It never blocks. What it says is asked for anew.
int open_network_changes();

} // namespace thru
