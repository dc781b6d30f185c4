// Decoders of input that precedes any proof: from WebSockets, relays and proxies, and ICE checks.
#include <algorithm>
#include <optional>
#include <vector>

#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "net/proxy_handshake.h"
#include "net/web_socket.h"
#include "path/relay/relay_channel.h"
#include "path/relay/relay_frames.h"
#include "path/stun_check.h"
#include "tests/support/web_socket_server.h"

namespace thru::fuzz {

namespace {

/// A position in the input, derived from it, at which to split it.
std::size_t split_of(ByteView input) { return input.empty() ? 0 : input.back() % input.size(); }

/// All results of a WebSocket for its server's bytes. The random masks don't change them.
struct Heard {
    Bytes data;
    std::size_t empty_messages = 0;
    std::vector<Bytes> answers;
    bool over = false;
    std::string reason;
    std::optional<std::uint16_t> close_code;
    bool operator==(const Heard &) const = default;
};

Heard hear(std::initializer_list<ByteView> pieces) {
    WebSocket socket({.host = "server.example", .path = "/v1/server-relay", .ticket = "secret"});
    Bytes sent;
    socket.take_output(sent);
    Heard heard;
    const auto take = [&heard](ByteView data) {
        heard.empty_messages += data.empty() ? 1 : 0;
        append_bytes(heard.data, data);
    };
    socket.receive(as_bytes(test::web_socket_answer(sent)), take);
    require(socket.open());
    for (const auto piece : pieces) {
        socket.receive(piece, take);
    }
    Bytes output;
    socket.take_output(output);
    while (!output.empty()) {
        heard.answers.push_back(test::take_client_frame(output));
        require(!heard.answers.back().empty());
    }
    heard.over = socket.over();
    heard.reason = socket.reason();
    heard.close_code = socket.close_code();
    return heard;
}

/// True if a WebSocket is open after receiving these bytes as its server's response.
bool opens(std::initializer_list<ByteView> pieces) {
    WebSocket socket({.host = "server.example", .path = "/v1/server-relay", .ticket = "secret"});
    for (const auto piece : pieces) {
        socket.receive(piece, [](ByteView) {});
    }
    return socket.open();
}

struct Cut {
    std::vector<Bytes> frames;
    bool is_turn = true;
    bool operator==(const Cut &) const = default;
};

Cut cut_frames(std::initializer_list<ByteView> pieces) {
    RelayFrames frames;
    Cut cut;
    for (const auto piece : pieces) {
        cut.is_turn = cut.is_turn && frames.receive(piece, [&cut](ByteView frame) {
            cut.frames.emplace_back(frame.begin(), frame.end());
        });
    }
    return cut;
}

struct Handshake {
    ProxyHandshake::Next next = ProxyHandshake::Next::Wait;
    Bytes said;
    std::string reason;
    Bytes left_over;
    bool operator==(const Handshake &) const = default;
};

Handshake shake_hands(const RelayProxy &proxy, std::initializer_list<ByteView> pieces) {
    ProxyHandshake handshake(proxy, "192.0.2.1", 3478);
    Handshake result;
    for (const auto piece : pieces) {
        if (result.next == ProxyHandshake::Next::Wait) {
            result.next = handshake.receive(piece);
            append_bytes(result.said, handshake.take_output());
            result.left_over.assign(handshake.left_over().begin(), handshake.left_over().end());
        } else {
            append_bytes(result.left_over, piece);
        }
    }
    result.reason = handshake.reason();
    if (result.next != ProxyHandshake::Next::Done) {
        result.left_over.clear();
    }
    return result;
}

IceCredentials credentials(const char *ufrag) {
    return {.ufrag = ufrag, .pwd = SecretText("0123456789abcdefghijklmn")};
}

} // namespace

void fuzz_web_socket(ByteView input) {
    const auto cut = split_of(input);
    const auto whole = hear({input});
    require(whole == hear({input.first(cut), input.subspan(cut)}));
    require(whole.over == !whole.reason.empty() && whole.data.size() <= input.size());
    require(!opens({input.first(cut), input.subspan(cut)}));
}

void fuzz_relay_frames(ByteView input) {
    const auto cut = split_of(input);
    const auto whole = cut_frames({input});
    require(whole == cut_frames({input.first(cut), input.subspan(cut)}));
    RelayChannel channel;
    std::size_t bytes = 0;
    for (const auto &frame : whole.frames) {
        bytes += frame.size();
        require(relay_frame_bytes(frame) == frame.size());
        const auto data = parse_channel_data(frame);
        const auto request = parse_allocate_request(frame);
        require(!data || !request);
        require(!request || !request->user || request->user->size() < frame.size());
        std::size_t delivered = 0;
        channel.receive(frame, frame.size(),
                        [&delivered](ByteView datagram) { delivered += datagram.size(); });
        require(delivered < frame.size());
    }
    require(bytes <= input.size());
    // A server over UDP may send anything.
    channel.receive(input, std::max<std::size_t>(cut, 1), [](ByteView) {});
}

void fuzz_stun(ByteView input) {
    static const CheckCredentials asked{.own = credentials("mina"), .peer = credentials("dana")};
    static const CheckCredentials asking{.own = credentials("dana"), .peer = credentials("mina")};
    static_cast<void>(answers_stun_check(input, asking, {}));
    if (const auto answer = answer_stun_check(input, asked)) {
        require(answer->message.size() <= kMaxCheckBytes);
        require(answers_stun_check(answer->message, asking, answer->transaction));
    }
}

void fuzz_proxy_answer(ByteView input) {
    // Longer answers are refused once they are complete.
    constexpr std::size_t kMost = 16 * 1024;
    if (input.empty() || input.size() > kMost) {
        return;
    }
    RelayProxy proxy{.kind =
                         (input[0] & 1U) == 0 ? RelayProxy::Kind::Http : RelayProxy::Kind::Socks5,
                     .host = "192.0.2.2",
                     .port = 1080};
    if ((input[0] & 2U) != 0) {
        proxy.user = "dana";
        proxy.password = "word";
    }
    const auto answer = input.subspan(1);
    const auto cut = split_of(answer);
    const auto whole = shake_hands(proxy, {answer});
    require(whole == shake_hands(proxy, {answer.first(cut), answer.subspan(cut)}));
    require(whole.reason.empty() == (whole.next != ProxyHandshake::Next::Refused));
}

} // namespace thru::fuzz
