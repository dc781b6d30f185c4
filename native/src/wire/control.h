// Messages of the control stream: bytes <-> structs. Normative text:
// docs/protocol.md#control-stream
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

/// First message of each side.
struct Hello {
    std::uint64_t version = 1;
    /// Shown to the other person; at most 64 bytes of UTF-8.
    std::string name;
};

/// Sender: the manifest is complete; these are its totals.
struct Offer {
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
};

/// Receiver: send everything that was offered.
struct Select {};

/// Receiver: so much is written. Bytes of a segment under way count before its hash is known.
struct Durable {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Either side: the entry can't be read or written and will not come.
struct EntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};

/// Receiver: nothing is missing but what failed.
struct Done {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t problems = 0;
    std::uint64_t renamed = 0;
};

/// Either side: the transfer is over; no code when it ended well.
struct Bye {
    std::optional<ErrorCode> code;
};

using ControlMessage = std::variant<Hello, Offer, Select, Durable, EntryFailed, Done, Bye>;

/// Largest payload of one control message, in bytes.
inline constexpr std::size_t kMaxControlPayload = 64 * 1024;

/// Appends the encoded message to `out`.
void encode(const ControlMessage &message, Bytes &out);

/// Cuts a byte stream into messages. Memory is bounded by one message of kMaxControlPayload.
class ControlDecoder {
public:
    void feed(ByteView bytes);

    /// The next whole message; nullopt when more bytes are needed; PeerProtocol when malformed
    /// (then the decoder is done for). Unknown message types are skipped.
    Result<std::optional<ControlMessage>> next();

    /// Feeds `bytes` and hands every message that is whole to `handle`, a function that returns
    /// Result<>. The first error, the decoder's or handle's, ends it.
    template <class Handle> Result<> each(ByteView bytes, Handle handle) {
        feed(bytes);
        for (;;) {
            auto message = next();
            if (!message) {
                return std::unexpected(message.error());
            }
            if (!*message) {
                return {};
            }
            if (auto handled = handle(**message); !handled) {
                return handled;
            }
        }
    }

private:
    Bytes buffer_;
    std::size_t read_ = 0;
};

} // namespace thru
