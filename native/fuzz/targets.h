// One function for each decoder of external bytes. Each takes any input and ends the process if the
// decoder contradicts itself; sanitizers catch the rest. libFuzzer calls them in builds with
// THRU_FUZZ; tests call them with vectors and mutations.
#pragma once

#include "base/bytes.h"

namespace thru::fuzz {

void fuzz_control(ByteView input);
void fuzz_manifest(ByteView input);
void fuzz_segment(ByteView input);
void fuzz_pairing_payload(ByteView input);
/// A whole run between two sides with the same secret, with one changed payload.
void fuzz_pairing_run(ByteView input);
/// Messages inside the boxes, which a peer that knows the code can send.
void fuzz_pairing_message(ByteView input);
/// A peer's share, followed by its data.
void fuzz_cpace_share(ByteView input);
void fuzz_invitation(ByteView input);
void fuzz_candidate(ByteView input);
void fuzz_text(ByteView input);
/// A server's bytes to a WebSocket, as frames and as its response to the request.
void fuzz_web_socket(ByteView input);
/// A relay's messages over a byte stream, and over UDP.
void fuzz_relay_frames(ByteView input);
/// A connectivity check, or its response.
void fuzz_stun(ByteView input);
/// A proxy's responses, after a byte that selects its kind and the use of a password.
void fuzz_proxy_answer(ByteView input);

} // namespace thru::fuzz
