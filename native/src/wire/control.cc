#include "wire/control.h"

#include <string_view>

#include "base/utf8.h"
#include "wire/varint.h"

namespace thru {

namespace {

/// Numbers on the wire; never reused.
enum class FrameType : std::uint64_t {
    Hello = 1,
    Offer = 2,
    Select = 3,
    Durable = 4,
    EntryFailed = 5,
    Done = 6,
    Bye = 7,
};

/// Longest error name that is taken; ours have at most 23 characters.
constexpr std::size_t kMaxErrorNameBytes = 64;

void append_string(Bytes &out, std::string_view text) {
    append_varint(out, text.size());
    append_bytes(out, as_bytes(text));
}

FrameType append_payload(const Hello &hello, Bytes &out) {
    append_varint(out, hello.version);
    append_string(out, to_peer_name(hello.name));
    return FrameType::Hello;
}

FrameType append_payload(const Offer &offer, Bytes &out) {
    append_varint(out, offer.files);
    append_varint(out, offer.folders);
    append_varint(out, offer.bytes);
    return FrameType::Offer;
}

FrameType append_payload(const Select &, Bytes &) { return FrameType::Select; }

FrameType append_payload(const Durable &durable, Bytes &out) {
    append_varint(out, durable.files);
    append_varint(out, durable.bytes);
    return FrameType::Durable;
}

FrameType append_payload(const EntryFailed &failed, Bytes &out) {
    append_varint(out, failed.index);
    append_string(out, error_name(failed.code));
    return FrameType::EntryFailed;
}

FrameType append_payload(const Done &done, Bytes &out) {
    append_varint(out, done.files);
    append_varint(out, done.bytes);
    append_varint(out, done.problems);
    append_varint(out, done.renamed);
    return FrameType::Done;
}

FrameType append_payload(const Bye &bye, Bytes &out) {
    append_string(out, bye.code ? error_name(*bye.code) : std::string_view{});
    return FrameType::Bye;
}

/// Reads the fields of one payload in order. The first one that is missing or beyond its limit
/// makes all later ones empty, so that `ok` needs to be asked only once.
class FieldReader {
public:
    explicit FieldReader(ByteView payload) : reader_(payload) {}

    bool ok() const { return ok_; }

    std::uint64_t number() {
        const auto value = ok_ ? take_varint(reader_) : std::nullopt;
        ok_ = value.has_value();
        return value.value_or(0);
    }

    std::string_view text(std::size_t max_bytes) {
        const auto length = number();
        ok_ = ok_ && length <= max_bytes;
        const auto bytes = ok_ ? reader_.bytes(static_cast<std::size_t>(length)) : std::nullopt;
        ok_ = bytes.has_value();
        return ok_ ? as_text(*bytes) : std::string_view{};
    }

    std::string peer_name() {
        const auto name = text(kMaxPeerNameBytes);
        ok_ = ok_ && is_peer_name(name);
        return std::string{name};
    }

private:
    ByteReader reader_;
    bool ok_ = true;
};

/// nullopt for a type that this version does not know.
std::optional<ControlMessage> read_payload(std::uint64_t type, FieldReader &fields) {
    switch (static_cast<FrameType>(type)) {
    case FrameType::Hello: {
        const auto version = fields.number();
        return Hello{version, fields.peer_name()};
    }
    case FrameType::Offer: {
        const auto files = fields.number();
        const auto folders = fields.number();
        return Offer{files, folders, fields.number()};
    }
    case FrameType::Select:
        return Select{};
    case FrameType::Durable: {
        const auto files = fields.number();
        return Durable{files, fields.number()};
    }
    case FrameType::EntryFailed: {
        const auto index = fields.number();
        return EntryFailed{index, error_from_name(fields.text(kMaxErrorNameBytes))};
    }
    case FrameType::Done: {
        const auto files = fields.number();
        const auto bytes = fields.number();
        const auto problems = fields.number();
        return Done{files, bytes, problems, fields.number()};
    }
    case FrameType::Bye: {
        const auto name = fields.text(kMaxErrorNameBytes);
        return Bye{name.empty() ? std::nullopt : std::optional{error_from_name(name)}};
    }
    }
    return std::nullopt;
}

} // namespace

void encode(const ControlMessage &message, Bytes &out) {
    Bytes payload;
    const auto type =
        std::visit([&](const auto &fields) { return append_payload(fields, payload); }, message);
    append_varint(out, static_cast<std::uint64_t>(type));
    append_varint(out, payload.size());
    append_bytes(out, payload);
}

void ControlDecoder::feed(ByteView bytes) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(read_));
    read_ = 0;
    append_bytes(buffer_, bytes);
}

Result<std::optional<ControlMessage>> ControlDecoder::next() {
    while (true) {
        ByteReader reader{ByteView{buffer_}.subspan(read_)};
        const auto type = take_varint(reader);
        const auto length = take_varint(reader);
        if (!type || !length) {
            return std::nullopt;
        }
        if (*length > kMaxControlPayload) {
            return fail(ErrorCode::PeerProtocol, 0, "control message too long");
        }
        const auto payload = reader.bytes(static_cast<std::size_t>(*length));
        if (!payload) {
            return std::nullopt;
        }
        FieldReader fields{*payload};
        auto message = read_payload(*type, fields);
        if (!fields.ok()) {
            return fail(ErrorCode::PeerProtocol, static_cast<std::int64_t>(*type),
                        "malformed control message");
        }
        read_ += reader.consumed();
        if (message) {
            return message;
        }
    }
}

} // namespace thru
