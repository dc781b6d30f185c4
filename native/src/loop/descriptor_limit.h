// How many sockets this process may have.
#pragma once

namespace thru {

/// As many as the system allows without more rights: a receiver takes four or more, and the usual
/// 1,024 would end at two hundred of them. Any thread; programs that are started later inherit it.
void raise_descriptor_limit();

} // namespace thru
