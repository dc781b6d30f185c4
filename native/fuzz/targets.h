// One function for each decoder of bytes that come from outside. Each takes anything and ends the
// process when the decoder contradicts itself; sanitizers catch the rest. libFuzzer drives them in
// builds with THRU_FUZZ, and so do the tests, with the vectors and mutations of them.
#pragma once

#include "base/bytes.h"

namespace thru::fuzz {

void fuzz_control(ByteView input);
void fuzz_manifest(ByteView input);
void fuzz_segment(ByteView input);
void fuzz_pairing_payload(ByteView input);
/// A whole run between two sides with the same secret, one payload of which is changed.
void fuzz_pairing_run(ByteView input);
/// The messages inside the boxes: what somebody can send who knows the code.
void fuzz_pairing_message(ByteView input);
/// A peer's share, and its data after that.
void fuzz_cpace_share(ByteView input);
void fuzz_invitation(ByteView input);
void fuzz_candidate(ByteView input);
void fuzz_text(ByteView input);
/// Bytes of a WebSocket's server, as frames and instead of its answer to the request.
void fuzz_web_socket(ByteView input);
/// A relay's messages over a stream of bytes, and over UDP.
void fuzz_relay_frames(ByteView input);
/// A connectivity check, or an answer to one.
void fuzz_stun(ByteView input);
/// A proxy's answers, behind a byte that tells its kind and whether it has a password.
void fuzz_proxy_answer(ByteView input);

} // namespace thru::fuzz
