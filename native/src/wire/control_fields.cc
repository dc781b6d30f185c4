#include "wire/control_fields.h"

#include "base/utf8.h"
#include "wire/control.h"
#include "wire/manifest.h"

namespace thru {

namespace {

/// Maximum length of a received error name; ours have at most 23 characters.
constexpr std::size_t kMaxErrorNameBytes = 64;

/// Shortest range: two varints of one byte.
constexpr std::size_t kMinRangeBytes = 2;

// Encoders never have to split a message: a number, the count and all ranges fit.
static_assert(kMaxVarintBytes + varint_bytes(kMaxIndexRanges) +
                  kMaxIndexRanges * 2 * varint_bytes(kMaxManifestEntries) <=
              kMaxControlPayload);

static_assert(kMaxLeftOutReasons * (2 * kMaxVarintBytes + kMaxErrorNameBytes +
                                    kMaxLeftOutPaths * (kMaxVarintBytes + kMaxLeftOutPathBytes)) +
                  kMaxVarintBytes <=
              kMaxControlPayload);

static_assert(kMaxFileAttributeBytes + (2 + 2 * kMaxFileAttributes) * kMaxVarintBytes <=
              kMaxControlPayload);

} // namespace

void FieldWriter::text(std::string_view text) {
    number(text.size());
    append_bytes(out_, as_bytes(text));
}

void FieldWriter::peer_name(std::string_view name) { text(to_peer_name(name)); }

void FieldWriter::error(ErrorCode code) { text(error_name(code)); }

void FieldWriter::error(const std::optional<ErrorCode> &code) {
    text(code ? error_name(*code) : std::string_view{});
}

void FieldWriter::ranges(const IndexRanges &ranges) {
    assert(!ranges.empty() && ranges.size() <= kMaxIndexRanges);
    number(ranges.size());
    std::uint64_t end = 0;
    for (const IndexRange &range : ranges) {
        assert(range.count > 0 && (end == 0 || range.first > end));
        number(range.first - end);
        number(range.count);
        end = range.first + range.count;
    }
    assert(end <= kMaxManifestEntries);
}

std::uint64_t FieldReader::take_number() {
    const auto value = ok_ ? take_varint(reader_) : std::nullopt;
    ok_ = value.has_value();
    return value.value_or(0);
}

ByteView FieldReader::take_bytes(std::uint64_t length) {
    check(length <= reader_.left());
    return ok_ ? *reader_.bytes(static_cast<std::size_t>(length)) : ByteView{};
}

std::string_view FieldReader::take_text(std::size_t max_bytes) {
    const auto length = take_number();
    check(length <= max_bytes);
    return as_text(take_bytes(length));
}

void FieldReader::peer_name(std::string &name) {
    name = take_text(kMaxPeerNameBytes);
    check(is_peer_name(name));
}

void FieldReader::error(ErrorCode &code) { code = error_from_name(take_text(kMaxErrorNameBytes)); }

void FieldReader::error(std::optional<ErrorCode> &code) {
    const auto name = take_text(kMaxErrorNameBytes);
    code = name.empty() ? std::nullopt : std::optional{error_from_name(name)};
}

void FieldReader::ranges(IndexRanges &ranges) {
    const auto count = take_number();
    check(count > 0 && count <= kMaxIndexRanges && count <= reader_.left() / kMinRangeBytes);
    ranges.reserve(ok_ ? static_cast<std::size_t>(count) : 0);
    std::uint64_t end = 0;
    while (ok_ && ranges.size() < count) {
        const auto gap = take_number();
        check((gap > 0 || ranges.empty()) && gap <= kMaxManifestEntries - end);
        const auto first = end + gap;
        const auto indexes = take_number();
        check(indexes > 0 && indexes <= kMaxManifestEntries - first);
        ranges.push_back({.first = first, .count = indexes});
        end = first + indexes;
    }
}

} // namespace thru
