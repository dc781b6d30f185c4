#include "journal/journal_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "journal/crc32c.h"
#include "wire/manifest.h"

namespace thru {

namespace {

constexpr std::uint32_t kMagic = 0x314A4854; // "THJ1"
constexpr std::uint8_t kCarriedBit = 0x80;
constexpr std::size_t kFrontBytes = 4 + 1 + 8;
constexpr std::size_t kCrcBytes = 4;
constexpr std::size_t kMemberBytes = 4 + 8 + 8;
static_assert(sizeof(ShortHash) + kMaxPieces * kMemberBytes <= kMaxRecordPayload);
static_assert(kMaxPublishedItems * (4 + 8 + 1 + kMaxComponentBytes) <= kMaxRecordPayload);

/// Appends fields. Writer and Reader share one list of fields.
class Writer {
public:
    explicit Writer(Bytes &out) : out_(out) {}
    void operator()(Slot slot) { append_little_endian(out_, slot, 4); }
    void operator()(std::uint64_t number) { append_little_endian(out_, number, 8); }
    void operator()(const std::array<std::uint8_t, 16> &bytes) { append_bytes(out_, bytes); }
    void operator()(const Bytes &bytes) { append_bytes(out_, bytes); }
    void operator()(const std::string &name) {
        out_.push_back(static_cast<std::uint8_t>(name.size()));
        append_bytes(out_, as_bytes(name));
    }
    template <class Item> void list(const std::vector<Item> &items) {
        for (const Item &item : items) {
            fields(item, *this);
        }
    }

private:
    Bytes &out_;
};

/// Takes fields, and fails once one is missing.
class Reader {
public:
    explicit Reader(ByteView payload) : reader_(payload) {}
    void operator()(Slot &slot) { slot = static_cast<Slot>(number(4)); }
    void operator()(std::uint64_t &value) { value = number(8); }
    void operator()(std::array<std::uint8_t, 16> &bytes) {
        const auto taken = reader_.bytes(bytes.size());
        failed_ = failed_ || !taken;
        if (taken) {
            std::ranges::copy(*taken, bytes.begin());
        }
    }
    void operator()(Bytes &bytes) {
        const auto rest = *reader_.bytes(reader_.left());
        bytes.assign(rest.begin(), rest.end());
    }
    void operator()(std::string &name) {
        const auto taken = reader_.bytes(static_cast<std::size_t>(number(1)));
        failed_ = failed_ || !taken;
        name = taken ? as_text(*taken) : std::string_view{};
    }
    template <class Item> void list(std::vector<Item> &items) {
        while (!failed_ && reader_.left() > 0) {
            fields(items.emplace_back(), *this);
        }
    }
    bool complete() const { return !failed_ && reader_.left() == 0; }

private:
    std::uint64_t number(std::size_t length) {
        const auto taken = reader_.little_endian(length);
        failed_ = failed_ || !taken;
        return taken.value_or(0);
    }

    ByteReader reader_;
    bool failed_ = false;
};

template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

void fields(Is<EntriesRecord> auto &record, auto &visit) { visit(record.encoded); }
void fields(Is<OpenRecord> auto &record, auto &visit) {
    visit(record.slot);
    visit(record.part);
    visit(record.file);
}
void fields(Is<ValidatorRecord> auto &record, auto &visit) {
    visit(record.slot);
    visit(record.validator);
}
void fields(Is<ExtentRecord> auto &record, auto &visit) {
    visit(record.slot);
    visit(record.extent.offset);
    visit(record.extent.length);
    visit(record.extent.hash);
}
void fields(Is<BatchRecord::Member> auto &member, auto &visit) {
    visit(member.slot);
    visit(member.part);
    visit(member.file);
}
void fields(Is<BatchRecord> auto &record, auto &visit) {
    visit(record.hash);
    visit.list(record.members);
}
void fields(Is<ProgressRecord> auto &record, auto &visit) {
    visit(record.slot);
    visit(record.begin);
    visit(record.end);
}
template <class T>
    requires Is<T, HoleRecord> || Is<T, VoidRecord>
void fields(T &record, auto &visit) {
    visit(record.slot);
    visit(record.offset);
    visit(record.length);
}
void fields(Is<SyncRecord> auto &record, auto &visit) { visit(record.covered); }
void fields(Is<PublishedRecord::Item> auto &item, auto &visit) {
    visit(item.slot);
    visit(item.file);
    visit(item.name);
}
void fields(Is<PublishedRecord> auto &record, auto &visit) { visit.list(record.items); }
void fields(Is<DroppedRecord> auto &record, auto &visit) { visit(record.slot); }
void fields(Is<EndRecord> auto & /*record*/, auto & /*visit*/) {}

void fields(Is<JournalHeader> auto &header, auto &visit) {
    visit(header.id);
    visit(header.share);
    visit(header.receive);
    visit(header.boot);
    visit(header.volume_device);
    visit(header.volume_number);
    visit(header.origin);
    visit(header.kept);
}

template <std::size_t place = 0>
std::optional<JournalRecord> parse_payload(std::size_t type, ByteView payload) {
    if constexpr (place == std::variant_size_v<JournalRecord>) {
        return std::nullopt;
    } else {
        if (type != place + 1) {
            return parse_payload<place + 1>(type, payload);
        }
        std::variant_alternative_t<place, JournalRecord> record;
        Reader reader(payload);
        fields(record, reader);
        return reader.complete() ? std::optional<JournalRecord>(std::move(record)) : std::nullopt;
    }
}

} // namespace

void encode_record(const NumberedRecord &record, std::uint32_t seed, Bytes &out) {
    const std::size_t start = out.size();
    const auto type = static_cast<std::uint8_t>(record.record.index() + 1);
    append_little_endian(out, 0, 4);
    out.push_back(record.carried ? type | kCarriedBit : type);
    append_little_endian(out, record.number, 8);
    Writer writer(out);
    std::visit([&](const auto &fields_of) { fields(fields_of, writer); }, record.record);
    Bytes length;
    append_little_endian(length, out.size() - start - kFrontBytes, 4);
    std::ranges::copy(length, out.begin() + static_cast<std::ptrdiff_t>(start));
    append_little_endian(out, crc32c(ByteView(out).subspan(start), seed), kCrcBytes);
}

std::optional<NumberedRecord> decode_record(ByteReader &reader, std::uint32_t seed) {
    ByteReader ahead = reader;
    const auto front = ahead.bytes(kFrontBytes);
    if (!front) {
        return std::nullopt;
    }
    ByteReader parts(*front);
    const std::uint64_t length = *parts.little_endian(4);
    const std::uint8_t type = *parts.byte();
    const std::uint64_t number = *parts.little_endian(8);
    if (length > kMaxRecordPayload) {
        return std::nullopt;
    }
    const auto payload = ahead.bytes(static_cast<std::size_t>(length));
    const auto crc = ahead.little_endian(kCrcBytes);
    if (!payload || !crc || *crc != crc32c(*payload, crc32c(*front, seed))) {
        return std::nullopt;
    }
    const auto plain_type = static_cast<std::uint8_t>(type & ~kCarriedBit);
    auto record = parse_payload(plain_type, *payload);
    if (!record) {
        return std::nullopt;
    }
    reader = ahead;
    return NumberedRecord{
        .number = number, .carried = plain_type != type, .record = std::move(*record)};
}

void encode_header(const JournalHeader &header, Bytes &out) {
    const std::size_t start = out.size();
    append_little_endian(out, kMagic, 4);
    Writer writer(out);
    fields(header, writer);
    out.resize(start + kJournalHeaderBytes - kCrcBytes);
    append_little_endian(out, crc32c(ByteView(out).subspan(start)), kCrcBytes);
}

std::optional<JournalHeader> decode_header(ByteView bytes) {
    if (bytes.size() < kJournalHeaderBytes) {
        return std::nullopt;
    }
    constexpr std::size_t kCovered = kJournalHeaderBytes - kCrcBytes;
    ByteReader end(bytes.subspan(kCovered));
    ByteReader front(bytes);
    if (front.little_endian(4) != kMagic ||
        end.little_endian(kCrcBytes) != crc32c(bytes.first(kCovered))) {
        return std::nullopt;
    }
    JournalHeader header;
    Reader reader(bytes.subspan(4, kCovered - 4));
    fields(header, reader);
    return header;
}

std::uint32_t journal_seed(const JournalHeader &header) { return crc32c(header.id); }

} // namespace thru
