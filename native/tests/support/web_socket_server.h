// Server messages of a WebSocket, and a reader of client messages (RFC 6455).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "net/gio.h"

namespace thru::test {

/// The value of a header in a client's request.
inline std::string web_socket_header(ByteView request, std::string_view name) {
    const auto text = as_text(request);
    const auto from = text.find(std::string(name) + ": ") + name.size() + 2;
    return std::string(text.substr(from, text.find('\r', from) - from));
}

/// The response to a request, with additional header lines.
inline std::string web_socket_answer(ByteView request, std::string_view more = {}) {
    const auto text =
        web_socket_header(request, "Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    auto *sum = g_checksum_new(G_CHECKSUM_SHA1);
    g_checksum_update(sum, reinterpret_cast<const guchar *>(text.data()),
                      static_cast<gssize>(text.size()));
    std::array<std::uint8_t, 20> digest{};
    gsize size = digest.size();
    g_checksum_get_digest(sum, digest.data(), &size);
    g_checksum_free(sum);
    auto *encoded = g_base64_encode(digest.data(), digest.size());
    const std::string accept = encoded;
    g_free(encoded);
    return "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Accept: " +
           accept + "\r\n" + std::string(more) + "\r\n";
}

/// A server's frame of at most 64 KiB; `first` has the opcode and the FIN bit.
inline Bytes web_socket_frame(int first, ByteView payload) {
    Bytes frame{static_cast<std::uint8_t>(first)};
    if (payload.size() < 126) {
        frame.push_back(static_cast<std::uint8_t>(payload.size()));
    } else {
        frame.push_back(126);
        append_big_endian(frame, payload.size(), 2);
    }
    append_bytes(frame, payload);
    return frame;
}
inline Bytes web_socket_frame(int first, std::string_view text) {
    return web_socket_frame(first, as_bytes(text));
}

/// Removes the client's first frame from `stream`; returns its first byte and payload, if complete.
inline Bytes take_client_frame(Bytes &stream) {
    ByteReader reader(stream);
    const auto first = reader.byte();
    const auto short_length = reader.byte();
    if (!short_length) {
        return {};
    }
    std::optional<std::uint64_t> length = *short_length & 0x7fU;
    if (*length >= 126) {
        length = reader.big_endian(*length == 126 ? 2 : 8);
    }
    const auto mask = reader.bytes(4);
    const auto payload = length ? reader.bytes(*length) : std::nullopt;
    if (!mask || !payload) {
        return {};
    }
    Bytes frame{*first};
    append_bytes(frame, *payload);
    for (std::size_t at = 0; at < payload->size(); ++at) {
        frame[at + 1] = static_cast<std::uint8_t>(frame[at + 1] ^ (*mask)[at % 4]);
    }
    stream.erase(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(reader.consumed()));
    return frame;
}

} // namespace thru::test
