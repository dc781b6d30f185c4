// Checks that this build's TLS works in processes that load their own OpenSSL.
#pragma once

#include <string>

namespace thru {

/// Makes a mutually authenticated handshake in memory between two fresh identities. Returns the
/// protocol's name ("TLSv1.3"), or a description of the failure.
std::string tls_self_test();

} // namespace thru
