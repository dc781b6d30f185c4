// Initialization of the libraries wrapped in this folder. Cheap, repeatable, any thread.
#pragma once

namespace thru {

/// Call this before any other use of OpenSSL: it ignores the machine's openssl.cnf.
void prepare_openssl();

/// Call this before any other use of libsodium: it makes the random source thread-safe. Ends the
/// process if the system has no random source.
void prepare_sodium();

} // namespace thru
