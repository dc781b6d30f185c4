// Input of a control stream: splits it into messages and limits their number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/error.h"
#include "wire/control.h"

namespace thru {

/// Most kinds of messages are limited in number: per entry, per answer or in total. Sender and
/// Receiver count those. PROGRESS, PAUSE, RESUME, RATE, BACKGROUND, FIND_PATH, FOLLOW, BYE and
/// unknown ones have no such limit; they may arrive at kPerSecond, with bursts of kBurst.
class ControlIntake {
public:
    static constexpr std::uint64_t kPerSecond = 1'000;
    static constexpr std::uint64_t kBurst = 5'000;

    /// Passes each complete message to `handle`, which returns Result<>. Stops at the first error:
    /// the decoder's, handle's, or PeerProtocol if there are too many. `now` never decreases.
    template <class Handle> Result<> feed(ByteView bytes, Timestamp now, Handle handle) {
        buffer(bytes);
        auto handled = process(now, handle, [] { return true; });
        return handled ? Result<>{} : std::unexpected(std::move(handled).error());
    }

    /// Buffers bytes for process. A caller that leaves messages unprocessed must bound the buffer.
    void buffer(ByteView bytes) { decoder_.feed(bytes); }
    /// Like feed, but for buffered bytes, and calls `more` before each message to decide whether to
    /// continue. True when no complete message remains.
    template <class Handle, class More>
    Result<bool> process(Timestamp now, Handle handle, More more) {
        while (more()) {
            const auto message = decoder_.next();
            if (!message) {
                return std::unexpected(message.error());
            }
            const bool repeatable = *message && is_repeatable(**message);
            if (!spend(decoder_.take_skipped() + (repeatable ? 1 : 0), now)) {
                return fail(ErrorCode::PeerProtocol, 0, "more control messages than allowed");
            }
            if (!*message) {
                return true;
            }
            if (auto handled = handle(**message); !handled) {
                return std::unexpected(std::move(handled).error());
            }
        }
        return false;
    }

private:
    static constexpr Timestamp kEach = kSecond / kPerSecond;

    static bool is_repeatable(const ControlMessage &message) {
        return std::holds_alternative<Progress>(message) ||
               std::holds_alternative<Pause>(message) || std::holds_alternative<Resume>(message) ||
               std::holds_alternative<Rate>(message) ||
               std::holds_alternative<Background>(message) ||
               std::holds_alternative<FindPath>(message) ||
               std::holds_alternative<Follow>(message) || std::holds_alternative<Bye>(message);
    }
    /// False when `messages` exceed the number allowed by `now`.
    bool spend(std::uint64_t messages, Timestamp now) {
        paid_until_ = std::max(paid_until_, now) + messages * kEach;
        return paid_until_ <= now + kBurst * kEach;
    }

    ControlDecoder decoder_;
    /// Time at which all messages so far would have arrived at kPerSecond.
    Timestamp paid_until_ = 0;
};

} // namespace thru
