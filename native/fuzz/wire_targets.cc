#include <algorithm>
#include <optional>
#include <vector>

#include "compression/zstd.h"
#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "tests/support/parsed_segment_header.h"
#include "wire/control.h"
#include "wire/manifest.h"
#include "wire/segment.h"
#include "wire/segment_blocks.h"
#include "wire/varint.h"

namespace thru::fuzz {

namespace {

/// A position in the input, derived from it, at which to split it.
std::size_t cut_of(ByteView input) { return input.empty() ? 0 : input.front() % input.size(); }

/// Appends the messages of one piece, encoded again, to `out`; false after an error.
bool read_control(ControlDecoder &decoder, ByteView piece, Bytes &out) {
    decoder.feed(piece);
    while (true) {
        const auto message = decoder.next();
        if (!message || !*message) {
            return message.has_value();
        }
        encode(**message, out);
    }
}

struct Listing {
    std::vector<ManifestEntry> entries;
    bool ok = true;
    std::optional<std::uint64_t> checkpoint;
};

Listing read_manifest(ByteView first, ByteView second) {
    ManifestDecoder decoder;
    Listing listing;
    for (const auto piece : {first, second}) {
        listing.ok = listing.ok && decoder.feed(piece, listing.entries);
    }
    listing.checkpoint = decoder.checkpoint();
    return listing;
}

} // namespace

void fuzz_control(ByteView input) {
    const auto cut = cut_of(input);
    ControlDecoder whole;
    ControlDecoder parts;
    Bytes from_whole;
    Bytes from_parts;
    const bool whole_ok = read_control(whole, input, from_whole);
    const bool parts_ok = read_control(parts, input.first(cut), from_parts) &&
                          read_control(parts, input.subspan(cut), from_parts);
    require(whole_ok == parts_ok && from_whole == from_parts);

    // Decoded messages can be encoded again, and are decoded to the same.
    ControlDecoder again;
    Bytes from_again;
    require(read_control(again, from_whole, from_again) && from_again == from_whole);
}

void fuzz_manifest(ByteView input) {
    const auto whole = read_manifest(input, {});
    const auto parts = read_manifest(input.first(cut_of(input)), input.subspan(cut_of(input)));
    require(whole.ok == parts.ok && whole.checkpoint == parts.checkpoint);
    if (!whole.ok) {
        return;
    }
    require(whole.entries == parts.entries && whole.checkpoint.value_or(0) <= whole.entries.size());
    ManifestEncoder encoder;
    Bytes bytes;
    for (const auto &entry : whole.entries) {
        encoder.add(entry, bytes);
    }
    encoder.checkpoint(bytes);
    const auto again = read_manifest(bytes, {});
    require(again.ok && again.checkpoint == whole.entries.size() && again.entries == whole.entries);
}

namespace {

/// Reads the blocks after a header of a compressed segment in pieces of `step` bytes; returns their
/// uncompressed bytes, or nullopt after an error.
std::optional<Bytes> read_blocks(const SegmentHeaderDecoder &header, ByteView input,
                                 std::size_t step) {
    const auto left = plan_bytes(header.plan()) + kSegmentHashBytes;
    SegmentBlockDecoder decoder(header.bytes().size(), left);
    Bytes plain;
    while (!input.empty()) {
        const auto fed = decoder.feed(input.first(std::min(step, input.size())));
        if (!fed) {
            return std::nullopt;
        }
        require(*fed > 0 && decoder.held() <= kBlockBytes + kMaxVarintBytes);
        input = input.subspan(*fed);
        if (decoder.whole()) {
            const auto last = decoder.at_last();
            const auto block = decoder.take();
            require(block.bytes.size() <= block.plain && block.plain <= kBlockBytes);
            const auto bytes = block.is_compressed() ? decompressed(block.bytes, block.plain)
                                                     : Result<Bytes>(block.bytes);
            if (!bytes) {
                return std::nullopt;
            }
            require(bytes->size() == block.plain);
            append_bytes(plain, *bytes);
            if (last) {
                break;
            }
        }
    }
    require(plain.size() <= left);
    return plain;
}

} // namespace

void fuzz_segment(ByteView input) {
    SegmentHeaderDecoder decoder(true);
    const auto fed = decoder.feed(input);
    if (!fed || !decoder.done()) {
        return;
    }
    const auto consumed = *fed;
    const auto plan = decoder.plan();
    require(!plan.empty() && plan.size() <= kMaxPieces && plan_bytes(plan) <= kSegmentBytes);
    require(consumed <= input.size() && consumed <= kMaxSegmentHeaderBytes);
    // An incomplete header is never accepted.
    SegmentHeaderDecoder shorter(true);
    require(shorter.feed(input.first(consumed - 1)) && !shorter.done());
    // The result does not depend on how the header is split.
    SegmentHeaderDecoder bytewise(true);
    for (std::size_t place = 0; place < consumed; ++place) {
        require(!bytewise.done() && bytewise.feed(input.subspan(place, 1)) == std::size_t{1});
    }
    require(bytewise.done() && bytewise.plan() == plan);
    Bytes bytes;
    encode_segment_header(plan, bytes);
    SegmentHeaderDecoder again;
    require(again.feed(bytes) && again.done() && again.plan() == plan);
    if (decoder.compressed()) {
        const auto blocks = input.subspan(consumed);
        require(read_blocks(decoder, blocks, 1) == read_blocks(decoder, blocks, blocks.size()));
    }
}

} // namespace thru::fuzz
