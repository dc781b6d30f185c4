// The client's end of a WebSocket (RFC 6455) whose binary messages are a stream of bytes: where one
// ends means nothing, but an empty one is told. Bytes in, bytes out; knows no socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace thru {

class WebSocket {
public:
    struct Request {
        /// As `Host` has it: a name or an address, with its port.
        std::string host;
        std::string path;
        /// For `Authorization: Bearer`.
        std::string ticket;
    };
    explicit WebSocket(const Request &request);

    /// The server has agreed; what is written before that is lost.
    bool open() const { return stage_ == Stage::Open; }
    /// It broke the protocol, refused, or closed: nothing is taken any more.
    bool over() const { return stage_ == Stage::Over; }
    /// Once it is over: in words, and the code with which the server closed, if it did.
    const std::string &reason() const { return reason_; }
    std::optional<std::uint16_t> close_code() const { return close_code_; }

    /// Takes what came. `take` gets the data of binary messages in pieces, and an empty view for
    /// each message without any.
    void receive(ByteView bytes, const std::function<void(ByteView)> &take);
    /// Data for the server; only while it is open.
    void write(ByteView data);
    /// Appends what has to go to the network.
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
    /// What the server has to answer.
    std::string accept_;
    /// The beginning of its answer, and then of a frame's header.
    Bytes begun_;
    /// Of the frame whose payload is awaited.
    bool in_frame_ = false;
    std::uint8_t opcode_ = 0;
    bool final_ = false;
    std::uint64_t left_ = 0;
    /// A message has begun and not ended, and whether it had data.
    bool in_message_ = false;
    bool had_data_ = false;
    /// The payload of a control frame.
    Bytes control_;
    Bytes output_;
    std::string reason_;
    std::optional<std::uint16_t> close_code_;
};

} // namespace thru
