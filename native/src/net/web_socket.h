// The client's end of a WebSocket (RFC 6455) whose binary messages form a byte stream. Message
// boundaries mean nothing, but empty messages are reported. Bytes in, bytes out, without sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace thru {

class WebSocket {
public:
    struct Request {
        /// A name or an address, with its port, for the `Host` header.
        std::string host;
        std::string path;
        /// Sent as `Authorization: Bearer`.
        std::string ticket;
    };
    explicit WebSocket(const Request &request);

    /// True once the server has agreed; data written before that is lost.
    bool open() const { return stage_ == Stage::Open; }
    /// True once the server broke the protocol, refused, or closed; further bytes are ignored.
    bool over() const { return stage_ == Stage::Over; }
    /// A description of the end, and the server's close code, if it sent one.
    const std::string &reason() const { return reason_; }
    std::optional<std::uint16_t> close_code() const { return close_code_; }

    /// `take` gets received binary data in pieces, and an empty view for a message without data.
    void receive(ByteView bytes, const std::function<void(ByteView)> &take);
    /// Queues data for the server; only while open.
    void write(ByteView data);
    void take_output(Bytes &out);

private:
    enum class Stage : std::uint8_t { Handshake, Open, Over };
    ByteView receive_answer(ByteView bytes);
    ByteView receive_header(ByteView bytes);
    ByteView receive_payload(ByteView bytes, const std::function<void(ByteView)> &take);
    void begin_frame(ByteView header);
    void end_frame(const std::function<void(ByteView)> &take);
    void write_frame(std::uint8_t opcode, ByteView payload);
    void fail(std::string reason);

    Stage stage_ = Stage::Handshake;
    /// The expected Sec-WebSocket-Accept of the answer.
    std::string accept_;
    /// The incomplete answer, later the incomplete header of a frame.
    Bytes begun_;
    /// State of the frame whose payload is awaited.
    bool in_frame_ = false;
    std::uint8_t opcode_ = 0;
    bool final_ = false;
    std::uint64_t left_ = 0;
    /// in_message_ is true while a message is incomplete, had_data_ once it has had data.
    bool in_message_ = false;
    bool had_data_ = false;
    Bytes control_;
    Bytes output_;
    std::string reason_;
    std::optional<std::uint16_t> close_code_;
};

} // namespace thru
