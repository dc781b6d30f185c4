#include "wire/control.h"

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/utf8.h"
#include "wire/control_fields.h"
#include "wire/manifest.h"
#include "wire/varint.h"

namespace thru {

namespace {

// The fields of every message in wire order, for both FieldWriter and FieldReader.

template <class T, class Message>
concept Is = std::same_as<std::remove_const_t<T>, Message>;

void lay_out(auto &fields, Is<Hello> auto &hello) {
    fields.number(hello.version);
    fields.peer_name(hello.name);
    fields.raw(hello.id);
    fields.late_flag(hello.browser, hello.takes != 0);
    fields.late_number(hello.takes);
}

void lay_out(auto &fields, Is<Offer> auto &offer) {
    fields.number(offer.files);
    fields.number(offer.folders);
    fields.number(offer.links);
    fields.number(offer.bytes);
}

void lay_out(auto &fields, Is<Request> auto &select) {
    fields.number(select.end);
    fields.check(select.end <= kMaxManifestEntries);
}

void lay_out(auto &fields, Is<Progress> auto &progress) {
    fields.number(progress.files);
    fields.number(progress.bytes);
}

void lay_out(auto &fields, Is<EntryFailed> auto &failed) {
    fields.number(failed.index);
    fields.error(failed.code);
}

void lay_out(auto &fields, Is<Done> auto &done) {
    fields.number(done.entries);
    fields.number(done.files);
    fields.number(done.bytes);
    fields.number(done.problems);
    fields.number(done.renamed);
    fields.number(done.identical);
    fields.number(done.identical_bytes);
    fields.number(done.uncompared);
}

void lay_out(auto &fields, Is<Bye> auto &bye) { fields.error(bye.code); }

void lay_out(auto &fields, Is<Skip> auto &skip) {
    fields.choice(skip.why, Skip::Why::Wanted);
    fields.ranges(skip.ranges);
}

void lay_out(auto &fields, Is<Have> auto &have) {
    fields.number(have.index);
    fields.number(have.offset);
    fields.number(have.hash_begin);
    fields.check(have.hash_begin <= have.offset);
    fields.raw(have.hash);
    fields.raw(have.validator);
}

void lay_out(auto &fields, Is<Restart> auto &restart) { fields.number(restart.index); }

void lay_out(auto &fields, Is<Validator> auto &validator) {
    fields.number(validator.index);
    fields.raw(validator.validator);
}

void lay_out(auto &fields, Is<Resend> auto &resend) {
    fields.number(resend.index);
    fields.number(resend.offset);
    fields.number(resend.length);
    // A Resend of an empty file has offset and length 0.
    fields.check(resend.length > 0 || resend.offset == 0);
    fields.check(resend.length <= kMaxTotalBytes - resend.offset);
}

void lay_out(auto &fields, Is<Hole> auto &hole) {
    fields.number(hole.index);
    fields.number(hole.offset);
    fields.number(hole.length);
    fields.check(hole.length > 0 && hole.length <= kMaxTotalBytes - hole.offset);
}

void lay_out(auto &fields, Is<Pause> auto &pause) {
    fields.choice(pause.why, Pause::Why::DiskFull);
    fields.number(pause.need);
}

void lay_out(auto &, Is<Resume> auto &) {}

void lay_out(auto &fields, Is<Removed> auto &removed) { fields.ranges(removed.ranges); }

void lay_out(auto &fields, Is<Prioritize> auto &prioritize) { fields.ranges(prioritize.ranges); }

void lay_out(auto &fields, Is<Rate> auto &rate) { fields.number(rate.bytes_per_second); }

void lay_out(auto &fields, Is<Confirm> auto &confirm) {
    fields.number(confirm.index);
    std::uint64_t end = 0;
    fields.list(confirm.different, kMaxDifferent, [&](auto &range) {
        fields.number(range.offset);
        fields.number(range.length);
        fields.check(range.offset >= end && range.length > 0 &&
                     range.length <= kMaxTotalBytes - range.offset);
        end = range.offset + range.length;
    });
    fields.late_flag(confirm.more);
}

void lay_out(auto &fields, Is<ContactRequest> auto &request) {
    fields.raw(request.public_key);
    fields.raw(request.signature);
}

void lay_out(auto &fields, Is<Origin> auto &origin) {
    fields.raw(origin.public_key);
    fields.raw(origin.signature);
}

void lay_out(auto &fields, Is<LeftOut> auto &left_out) {
    fields.list(left_out.reasons, kMaxLeftOutReasons, [&](auto &reason) {
        fields.error(reason.code);
        fields.number(reason.entries);
        fields.list(reason.paths, kMaxLeftOutPaths,
                    [&](auto &path) { fields.name(path, kMaxLeftOutPathBytes); });
        fields.check(reason.entries >= reason.paths.size() && reason.entries > 0);
    });
}

void lay_out(auto &, Is<ApprovalRequested> auto &) {}

void lay_out(auto &fields, Is<Background> auto &background) {
    fields.choice(background.enabled, Background::Enabled::Yes);
}

void lay_out(auto &fields, Is<FindPath> auto &find) {
    fields.small_number(find.search);
    fields.list(find.candidates, kMaxPathCandidates,
                [&](auto &candidate) { fields.name(candidate, kMaxPathCandidateBytes); });
}

void lay_out(auto &fields, Is<Compare> auto &compare) {
    fields.number(compare.index);
    fields.number(compare.offset);
}

void lay_out(auto &fields, Is<Extents> auto &extents) {
    fields.number(extents.index);
    fields.number(extents.offset);
    std::uint64_t end = extents.offset;
    fields.list(extents.runs, kMaxExtents, [&](auto &run) {
        fields.number(run.length);
        fields.raw(run.hash);
        // The sender reads a run in one piece, unless it is zeros.
        fields.check(run.length > 0 && (run.length <= kSegmentBytes || run.hash == ShortHash{}) &&
                     run.length <= kMaxTotalBytes - end);
        end += run.length;
    });
    fields.late_flag(extents.takes_parts);
}

void lay_out(auto &fields, Is<Prefetch> auto &prefetch) { fields.number(prefetch.bytes); }

void lay_out(auto &, Is<Follow> auto &) {}

void lay_out(auto &, Is<Compress> auto &) {}

void lay_out(auto &fields, Is<HardLinks> auto &message) {
    std::uint32_t last = 0;
    fields.list(message.links, kMaxHardLinks, [&](auto &link) {
        fields.small_number(link.index);
        fields.small_number(link.first);
        fields.check(link.index > last && link.first < link.index &&
                     link.index < kMaxManifestEntries);
        last = link.index;
    });
    fields.check(!message.links.empty());
}

void lay_out(auto &, Is<ChunkLists> auto &) {}

void lay_out(auto &fields, Is<ListChunks> auto &list) { fields.number(list.index); }

void lay_out(auto &fields, Is<Chunks> auto &chunks) {
    fields.number(chunks.index);
    fields.number(chunks.offset);
    fields.raw(chunks.validator);
    std::uint64_t end = chunks.offset;
    fields.list(chunks.runs, kMaxChunks, [&](auto &run) {
        fields.number(run.length);
        fields.raw(run.hash);
        fields.check(run.length > 0 && run.length <= kMaxChunkBytes &&
                     run.length <= kMaxTotalBytes - end);
        end += run.length;
    });
}

void lay_out_range(auto &fields, auto &message) {
    fields.number(message.index);
    fields.number(message.range.offset);
    fields.number(message.range.length);
    fields.check(message.range.length > 0 && message.range.offset % kFileBlockBytes == 0 &&
                 message.range.offset <= kMaxTotalBytes &&
                 message.range.length <= kMaxTotalBytes - message.range.offset);
}

void lay_out(auto &fields, Is<ListBlocks> auto &list) {
    lay_out_range(fields, list);
    fields.check(list.range.length <= kMaxBlocks * kFileBlockBytes);
}

void lay_out(auto &fields, Is<FileBlocks> auto &blocks) {
    fields.number(blocks.index);
    fields.number(blocks.offset);
    fields.list(blocks.hashes, kMaxBlocks, [&](auto &hash) { fields.raw(hash); });
}

void lay_out(auto &fields, Is<Fetch> auto &fetch) { lay_out_range(fields, fetch); }

void lay_out(auto &fields, Is<Fetched> auto &fetched) {
    fields.number(fetched.index);
    fields.number(fetched.offset);
    fields.value(fetched.bytes, kMaxFetchedBytes);
}

void lay_out(auto &fields, Is<FileAttributes> auto &file) {
    fields.small_number(file.index);
    fields.check(file.index < kMaxManifestEntries);
    std::string last;
    std::size_t left = kMaxFileAttributeBytes;
    fields.list(file.attributes, kMaxFileAttributes, [&](auto &attribute) {
        fields.name(attribute.name, kMaxAttributeNameBytes);
        fields.check(attribute.name > last && is_utf8(attribute.name) &&
                     attribute.name.size() <= left);
        left -= std::min(left, attribute.name.size());
        fields.value(attribute.value, left);
        left -= std::min(left, attribute.value.size());
        last = attribute.name;
    });
    fields.check(!file.attributes.empty());
}

void lay_out(auto &fields, Is<CreationTimes> auto &times) {
    std::optional<std::uint32_t> last;
    fields.list(times.files, kMaxCreationTimes, [&](auto &file) {
        fields.small_number(file.index);
        fields.time(file.ns);
        fields.check((!last || file.index > *last) && file.index < kMaxManifestEntries);
        last = file.index;
    });
    fields.check(!times.files.empty());
}

/// Returns nullopt for a type that this version does not know.
template <std::size_t... Places>
std::optional<ControlMessage> read_message(std::uint64_t type, FieldReader &fields,
                                           std::index_sequence<Places...>) {
    std::optional<ControlMessage> message;
    const auto read = [&](auto fresh) {
        lay_out(fields, fresh);
        message = std::move(fresh);
        return true;
    };
    static_cast<void>((
        (type == Places + 1 && read(std::variant_alternative_t<Places, ControlMessage>{})) || ...));
    return message;
}

} // namespace

void encode(const ControlMessage &message, Bytes &out) {
    Bytes payload;
    FieldWriter fields{payload};
    std::visit([&](const auto &known) { lay_out(fields, known); }, message);
    append_varint(out, message.index() + 1);
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
        auto message = read_message(
            *type, fields, std::make_index_sequence<std::variant_size_v<ControlMessage>>{});
        if (!fields.ok()) {
            return fail(ErrorCode::PeerProtocol, static_cast<std::int64_t>(*type),
                        "malformed control message");
        }
        read_ += reader.consumed();
        if (message) {
            return message;
        }
        ++skipped_;
    }
}

} // namespace thru
