#include "net/proxy_handshake.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/byte_reader.h"
#include "net/gio.h"

namespace thru {

namespace {

/// Maximum size of an answer; a longer one is not from a proxy.
constexpr std::size_t kMaxAnswer = 16 * 1024;
constexpr std::uint8_t kSocks5 = 5;
constexpr std::uint8_t kNoPassword = 0;
constexpr std::uint8_t kUserAndPassword = 2;
constexpr std::uint8_t kConnect = 1;
constexpr std::uint8_t kAddress4 = 1;
constexpr std::uint8_t kAddress6 = 4;
constexpr std::uint8_t kName = 3;
/// RFC 1929 counts the bytes of user and password in one byte each.
constexpr std::size_t kMaxSecret = 255;

std::string base64(const std::string &text) {
    auto *encoded = g_base64_encode(reinterpret_cast<const guchar *>(text.data()), text.size());
    std::string result = encoded;
    g_free(encoded);
    return result;
}

std::string connect_request(const RelayProxy &proxy, const std::string &host, std::uint16_t port) {
    const bool ipv6 = host.find(':') != std::string::npos;
    const auto place = (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
    auto request = "CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n";
    if (!proxy.user.empty()) {
        request += "Proxy-Authorization: Basic " + base64(proxy.user + ":" + proxy.password);
        request += "\r\n";
    }
    return request + "\r\n";
}

void append_counted(Bytes &out, std::string_view text) {
    const auto bytes = as_bytes(text.substr(0, kMaxSecret));
    out.push_back(static_cast<std::uint8_t>(bytes.size()));
    append_bytes(out, bytes);
}

} // namespace

ProxyHandshake::ProxyHandshake(const RelayProxy &proxy, const std::string &host, std::uint16_t port)
    : proxy_(proxy), host_(host), port_(port),
      stage_(proxy.kind == RelayProxy::Kind::Http ? Stage::Http : Stage::SocksMethod) {
    if (stage_ == Stage::Http) {
        append_bytes(output_, as_bytes(connect_request(proxy_, host_, port_)));
    } else if (proxy_.user.empty()) {
        output_ = {kSocks5, 1, kNoPassword};
    } else {
        output_ = {kSocks5, 2, kNoPassword, kUserAndPassword};
    }
}

Bytes ProxyHandshake::take_output() { return std::exchange(output_, {}); }

ProxyHandshake::Next ProxyHandshake::receive(ByteView bytes) {
    append_bytes(answer_, bytes);
    if (answer_.size() > kMaxAnswer) {
        return refused("its answer has no end");
    }
    return stage_ == Stage::Http ? receive_http() : receive_socks();
}

ProxyHandshake::Next ProxyHandshake::refused(std::string reason) {
    reason_ = std::move(reason);
    return Next::Refused;
}

void ProxyHandshake::drop_answer(std::size_t bytes) {
    answer_.erase(answer_.begin(), answer_.begin() + static_cast<std::ptrdiff_t>(bytes));
}

ProxyHandshake::Next ProxyHandshake::receive_http() {
    constexpr std::string_view kEnd = "\r\n\r\n";
    const auto text = as_text(answer_);
    const auto end = text.find(kEnd);
    if (end == std::string_view::npos) {
        return Next::Wait;
    }
    const auto line = text.substr(0, text.find('\r'));
    const auto space = line.find(' ');
    if (!line.starts_with("HTTP/1.") || space == std::string_view::npos ||
        line.substr(space + 1, 1) != "2") {
        return refused("it answered " + std::string(line.substr(0, 80)));
    }
    drop_answer(end + kEnd.size());
    return Next::Done;
}

ProxyHandshake::Next ProxyHandshake::receive_socks() {
    ByteReader reader(answer_);
    if (stage_ != Stage::SocksConnect) {
        const auto version = reader.byte();
        const auto said = reader.byte();
        if (!said) {
            return Next::Wait;
        }
        drop_answer(2);
        if (stage_ == Stage::SocksPassword) {
            if (*said != 0) {
                return refused("it refuses user and password");
            }
            ask_socks_for_connection();
        } else if (*version != kSocks5) {
            return refused("it is no SOCKS 5 proxy");
        } else if (*said == kUserAndPassword && !proxy_.user.empty()) {
            stage_ = Stage::SocksPassword;
            output_.push_back(1);
            append_counted(output_, proxy_.user);
            append_counted(output_, proxy_.password);
        } else if (*said == kNoPassword) {
            ask_socks_for_connection();
        } else {
            return refused("it wants a user and a password");
        }
        return answer_.empty() ? Next::Wait : receive_socks();
    }
    const auto head = reader.bytes(3);
    const auto kind = reader.byte();
    if (!head || !kind) {
        return Next::Wait;
    }
    if ((*head)[0] != kSocks5 || (*head)[1] != 0) {
        return refused("it answered " + std::to_string((*head)[1]));
    }
    constexpr std::size_t kPortBytes = 2;
    std::optional<std::size_t> length;
    if (*kind == kAddress4 || *kind == kAddress6) {
        length = *kind == kAddress4 ? 4 : 16;
    } else if (*kind == kName) {
        length = reader.byte();
    }
    if (!length || !reader.bytes(*length + kPortBytes)) {
        return Next::Wait;
    }
    drop_answer(reader.consumed());
    return Next::Done;
}

void ProxyHandshake::ask_socks_for_connection() {
    stage_ = Stage::SocksConnect;
    auto *address = g_inet_address_new_from_string(host_.c_str());
    if (address == nullptr) {
        append_bytes(output_, std::array<std::uint8_t, 4>{kSocks5, kConnect, 0, kName});
        append_counted(output_, host_);
        append_big_endian(output_, port_, 2);
        return;
    }
    const bool ipv6 = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV6;
    append_bytes(output_,
                 std::array<std::uint8_t, 4>{kSocks5, kConnect, 0, ipv6 ? kAddress6 : kAddress4});
    append_bytes(output_,
                 {g_inet_address_to_bytes(address), g_inet_address_get_native_size(address)});
    append_big_endian(output_, port_, 2);
    g_object_unref(address);
}

} // namespace thru
