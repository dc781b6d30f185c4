#include "net/web_socket.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/byte_reader.h"
#include "crypto/random.h"
#include "net/gio.h"

namespace thru {

namespace {

/// Maximum size of an answer; a longer one is not from a signaling server.
constexpr std::size_t kMaxUpgradeAnswer = 16 * 1024;
constexpr std::size_t kKeyBytes = 16;
constexpr std::string_view kHandshakeText = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// RFC 6455 section 5.2.
constexpr std::uint8_t kFinal = 0x80;
constexpr std::uint8_t kReserved = 0x70;
constexpr std::uint8_t kOpcode = 0x0f;
constexpr std::uint8_t kMasked = 0x80;
constexpr std::uint8_t kLengthOf16Bits = 126;
constexpr std::uint8_t kLengthOf64Bits = 127;
constexpr std::size_t kMinHeaderBytes = 2;
constexpr std::size_t kMaskBytes = 4;
constexpr std::uint64_t kMaxControlBytes = 125;
/// Far above the frames of a correct server; payloads are not buffered.
constexpr std::uint64_t kMaxFrameBytes = 1 << 24;
/// The largest message that the server accepts (signaling.md).
constexpr std::size_t kMaxMessageBytes = 64 * 1024;
/// Queued output beyond which pings go unanswered.
constexpr std::size_t kMaxOutputBytes = 4 * 1024;

constexpr std::uint8_t kContinuation = 0;
constexpr std::uint8_t kBinary = 2;
constexpr std::uint8_t kFirstControl = 8;
constexpr std::uint8_t kClose = 8;
constexpr std::uint8_t kPing = 9;
constexpr std::uint8_t kPong = 10;

std::string base64_of(ByteView bytes) {
    auto *encoded = g_base64_encode(bytes.data(), bytes.size());
    std::string text = encoded;
    g_free(encoded);
    return text;
}

/// RFC 6455 section 4.2.2.
std::string accept_of(const std::string &key) {
    auto *hash = g_checksum_new(G_CHECKSUM_SHA1);
    const auto text = key + std::string(kHandshakeText);
    g_checksum_update(hash, reinterpret_cast<const guchar *>(text.data()),
                      static_cast<gssize>(text.size()));
    std::array<std::uint8_t, 20> digest{};
    gsize size = digest.size();
    g_checksum_get_digest(hash, digest.data(), &size);
    g_checksum_free(hash);
    return base64_of(digest);
}

bool same_word(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
    });
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t";
    const auto from = text.find_first_not_of(kBlank);
    return from == std::string_view::npos
               ? std::string_view{}
               : text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

/// The only value of a header in an answer; nullopt if it is missing or repeated.
std::optional<std::string_view> header_of(std::string_view answer, std::string_view name) {
    std::optional<std::string_view> found;
    while (!answer.empty()) {
        const auto end = std::min(answer.find("\r\n"), answer.size());
        const auto line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 2, answer.size()));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !same_word(line.substr(0, colon), name)) {
            continue;
        }
        if (found) {
            return std::nullopt;
        }
        found = trimmed(line.substr(colon + 1));
    }
    return found;
}

/// The length of the header that begins like this, as known so far.
std::size_t header_bytes(ByteView begun) {
    if (begun.size() < kMinHeaderBytes) {
        return kMinHeaderBytes;
    }
    const auto length = begun[1] & static_cast<std::uint8_t>(~kMasked);
    return kMinHeaderBytes + (length == kLengthOf64Bits ? 8U : length == kLengthOf16Bits ? 2U : 0U);
}

/// Masks eight bytes at a time; the rest then begins with the first byte of the mask.
void apply_mask(MutableByteView payload, std::array<std::uint8_t, kMaskBytes> mask) {
    std::uint32_t once = 0;
    std::memcpy(&once, mask.data(), sizeof once);
    const auto twice = std::uint64_t{once} << 32U | once;
    for (; payload.size() >= sizeof twice; payload = payload.subspan(sizeof twice)) {
        std::uint64_t word = 0;
        std::memcpy(&word, payload.data(), sizeof word);
        word ^= twice;
        std::memcpy(payload.data(), &word, sizeof word);
    }
    for (std::size_t at = 0; at < payload.size(); ++at) {
        payload[at] ^= mask[at % kMaskBytes];
    }
}

} // namespace

WebSocket::WebSocket(const Request &request) {
    std::array<std::uint8_t, kKeyBytes> random{};
    random_bytes(random);
    const auto key = base64_of(random);
    accept_ = accept_of(key);
    append_bytes(output_,
                 as_bytes("GET " + request.path + " HTTP/1.1\r\nHost: " + request.host +
                          "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
                          key + "\r\nAuthorization: Bearer " + request.ticket + "\r\n\r\n"));
}

void WebSocket::fail(std::string reason) {
    stage_ = Stage::Over;
    reason_ = std::move(reason);
}

void WebSocket::receive(ByteView bytes, const std::function<void(ByteView)> &take) {
    if (stage_ == Stage::Handshake) {
        bytes = receive_answer(bytes);
    }
    while (stage_ == Stage::Open && !bytes.empty()) {
        bytes = in_frame_ ? receive_payload(bytes, take) : receive_header(bytes);
        if (in_frame_ && left_ == 0) {
            end_frame(take);
        }
    }
}

/// Returns the bytes after the server's answer.
ByteView WebSocket::receive_answer(ByteView bytes) {
    constexpr std::string_view kEnd = "\r\n\r\n";
    append_bytes(begun_, bytes);
    const auto text = as_text(begun_);
    const auto end = text.find(kEnd);
    if (end == std::string_view::npos) {
        if (begun_.size() > kMaxUpgradeAnswer) {
            fail("its answer has no end");
        }
        return {};
    }
    const auto line = text.substr(0, text.find('\r'));
    const auto headers = text.substr(0, end);
    if (!line.starts_with("HTTP/1.1 101")) {
        fail("it answered " + std::string(line.substr(0, 80)));
        return {};
    }
    const auto upgrade = header_of(headers, "Upgrade");
    if (!upgrade || !same_word(*upgrade, "websocket") ||
        header_of(headers, "Sec-WebSocket-Accept") != accept_ ||
        header_of(headers, "Sec-WebSocket-Extensions") ||
        header_of(headers, "Sec-WebSocket-Protocol")) {
        fail("its answer is not of a WebSocket");
        return {};
    }
    stage_ = Stage::Open;
    begun_.clear();
    const auto before = end + kEnd.size() - (text.size() - bytes.size());
    return bytes.subspan(before);
}

ByteView WebSocket::receive_header(ByteView bytes) {
    while (!bytes.empty() && begun_.size() < header_bytes(begun_)) {
        begun_.push_back(bytes.front());
        bytes = bytes.subspan(1);
    }
    if (begun_.size() == header_bytes(begun_)) {
        begin_frame(begun_);
        begun_.clear();
    }
    return bytes;
}

void WebSocket::begin_frame(ByteView header) {
    opcode_ = header[0] & kOpcode;
    final_ = (header[0] & kFinal) != 0;
    left_ = header[1];
    if (header.size() > kMinHeaderBytes) {
        left_ = *ByteReader(header.subspan(kMinHeaderBytes))
                     .big_endian(header.size() - kMinHeaderBytes);
    }
    const bool is_control = opcode_ >= kFirstControl;
    const bool fits =
        is_control ? final_ && left_ <= kMaxControlBytes && opcode_ <= kPong
                   : left_ <= kMaxFrameBytes && opcode_ == (in_message_ ? kContinuation : kBinary);
    if ((header[0] & kReserved) != 0 || (header[1] & kMasked) != 0 || !fits) {
        fail("it sent a frame that it may not send");
        return;
    }
    in_frame_ = true;
    if (!is_control && !in_message_) {
        in_message_ = true;
        had_data_ = false;
    }
}

ByteView WebSocket::receive_payload(ByteView bytes, const std::function<void(ByteView)> &take) {
    const auto piece = bytes.first(std::min<std::uint64_t>(left_, bytes.size()));
    left_ -= piece.size();
    if (opcode_ >= kFirstControl) {
        append_bytes(control_, piece);
    } else {
        had_data_ = true;
        take(piece);
    }
    return bytes.subspan(piece.size());
}

void WebSocket::end_frame(const std::function<void(ByteView)> &take) {
    in_frame_ = false;
    if (opcode_ < kFirstControl) {
        in_message_ = !final_;
        if (final_ && !had_data_) {
            take({});
        }
        return;
    }
    const auto control = std::exchange(control_, {});
    if (opcode_ == kPing && output_.size() <= kMaxOutputBytes) {
        write_frame(kPong, control);
    } else if (opcode_ == kClose) {
        write_frame(kClose, control);
        if (const auto code = ByteReader(control).big_endian(2)) {
            close_code_ = static_cast<std::uint16_t>(*code);
        }
        fail("it ended the connection");
    }
}

void WebSocket::write(ByteView data) {
    while (!data.empty()) {
        const auto message = data.first(std::min(kMaxMessageBytes, data.size()));
        write_frame(kBinary, message);
        data = data.subspan(message.size());
    }
}

/// Masks the payload, as every client must (section 5.3).
void WebSocket::write_frame(std::uint8_t opcode, ByteView payload) {
    output_.push_back(kFinal | opcode);
    if (payload.size() < kLengthOf16Bits) {
        output_.push_back(static_cast<std::uint8_t>(kMasked | payload.size()));
    } else if (payload.size() <= 0xffff) {
        output_.push_back(kMasked | kLengthOf16Bits);
        append_big_endian(output_, payload.size(), 2);
    } else {
        output_.push_back(kMasked | kLengthOf64Bits);
        append_big_endian(output_, payload.size(), 8);
    }
    std::array<std::uint8_t, kMaskBytes> mask{};
    random_bytes(mask);
    append_bytes(output_, mask);
    const auto from = output_.size();
    append_bytes(output_, payload);
    apply_mask(MutableByteView{output_}.subspan(from), mask);
}

void WebSocket::take_output(Bytes &out) { append_bytes(out, std::exchange(output_, {})); }

} // namespace thru
