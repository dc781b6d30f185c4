// Start-up of the libraries that this folder wraps. Cheap, from any thread, as often as one likes.
#pragma once

namespace thru {

/// Before any other use of OpenSSL: only its own defaults count, not the machine's openssl.cnf.
void prepare_openssl();

/// Before any other use of libsodium: makes its random source safe to share between threads. Ends
/// the process when there is no such source.
void prepare_sodium();

} // namespace thru
