// Proof that the TLS of this build works: the addon lives in processes that bring their own.
#pragma once

#include <string>

namespace thru {

/// Makes a mutually authenticated handshake in memory between two fresh identities. The protocol's
/// name ("TLSv1.3"), or what went wrong.
std::string tls_self_test();

} // namespace thru
