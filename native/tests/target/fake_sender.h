// A sender and a receiver without a network, for receiving into a folder. The sender answers the
// folder's requests and records the sent data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/content_chunks.h"
#include "support/prepare_folder.h"
#include "support/segments.h"
#include "target/segments/segment_writer.h"

namespace thru::test {

inline std::string bytes_of(std::size_t size, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string bytes(size, '\0');
    for (char &byte : bytes) {
        byte = static_cast<char>(random() >> 56);
    }
    return bytes;
}

/// The offered entries and the content of each.
struct Offered {
    std::shared_ptr<ManifestTable> manifest = std::make_shared<ManifestTable>();
    std::vector<std::string> contents;
    std::vector<HardLink> hard_links;

    std::uint64_t add(ManifestEntry entry, std::string content = {}) {
        entry.size = content.size();
        EXPECT_TRUE(manifest->add(entry));
        contents.push_back(std::move(content));
        return contents.size() - 1;
    }
    std::uint64_t file(std::string path, std::string content, std::int64_t mtime_ns = 1'000) {
        return add({.path = std::move(path), .mtime_ns = mtime_ns}, std::move(content));
    }
    /// Another name of the file `first`.
    std::uint64_t hard_link(std::string path, std::uint64_t first) {
        ManifestEntry entry = manifest->entry(first);
        entry.path = std::move(path);
        const std::uint64_t index = add(std::move(entry), contents[first]);
        hard_links.push_back({.index = static_cast<std::uint32_t>(index),
                              .first = static_cast<std::uint32_t>(first)});
        manifest->set_hard_links(hard_links);
        return index;
    }
    std::uint64_t folder(std::string path) {
        return add({.kind = EntryKind::Folder, .path = std::move(path), .mtime_ns = 2'000});
    }
    std::uint64_t link(std::string path, std::string target) {
        return add({.kind = EntryKind::Link,
                    .path = std::move(path),
                    .target = std::move(target),
                    .mtime_ns = 3'000});
    }
    std::string path(std::uint64_t index) const { return std::string(manifest->path(index)); }
    /// The expected result, in the form of a snapshot.
    std::map<std::string, std::string> expected() const {
        std::map<std::string, std::string> all;
        for (std::size_t index = 0; index < contents.size(); ++index) {
            const EntryKind kind = manifest->kind(index);
            all[path(index)] = kind == EntryKind::Folder ? "(folder)"
                               : kind == EntryKind::Link
                                   ? "-> " + std::string(manifest->target(index))
                                   : contents[index];
        }
        return all;
    }
};

inline const WireId kShare = {1, 2, 3};
inline const WireId kReceive = {4, 5, 6};
inline const OriginId kOrigin = {7, 8, 9};

struct SendOptions {
    ReceiveOptions receive;
    WireId share = kShare;
    OriginId origin = kOrigin;
    std::optional<RecordKey> record_key{};
    std::string sender;
    /// Bytes per segment of a file sent in several segments.
    std::uint64_t piece = 40'000;
    std::size_t batch_files = 6;
    std::uint64_t batch_bytes = 40'000;
    /// Segments between commits.
    std::size_t segments_a_round = 4;
    std::size_t chunk = 9'000;
    /// Lists the chunks of its files; needs `validator`.
    bool lists_chunks = false;
    /// Sent with each file that continues; zero: none is sent.
    WireId validator{};
    /// Stops after this many segments.
    std::size_t max_segments = ~std::size_t{0};
    /// Called when the disk is full, with the bytes needed; returns false to give up.
    std::function<bool(std::uint64_t)> make_room;
    /// False once the disk is dead, so that later writes don't count.
    std::function<bool()> alive = [] { return true; };
    std::function<void()> before_commit = [] {};
};

/// One attempt: the data sent in it, and its result.
class Attempt {
public:
    Attempt(const Offered &offered, std::string target, SendOptions options = {})
        : offered_(offered), target_(std::move(target)), options_(std::move(options)) {}

    /// True when everything is finished.
    bool run() {
        auto opened = ReceiveFolder::open(target_, offered_.manifest, options_.receive,
                                          {.share = options_.share,
                                           .receive = kReceive,
                                           .origin = options_.origin,
                                           .record_key = options_.record_key,
                                           .sender = options_.sender,
                                           .lists_chunks = options_.lists_chunks});
        if (!opened) {
            return fail_with(opened.error());
        }
        folder = *opened;
        return prepare() && send_all() && finish();
    }

    bool prepare() {
        for (;;) {
            auto looked = test::prepare(
                *folder, 0, offered_.contents.size(), unwanted,
                [this](std::uint64_t index) { return chunks_of(index); },
                [this](const Fetch &fetch) {
                    return offered_.contents[fetch.index].substr(fetch.range.offset,
                                                                 fetch.range.length);
                },
                &bytes_sent);
            if (looked) {
                prepared = *looked;
                break;
            }
            const bool full = looked.error().code == ErrorCode::DiskFull;
            if (!full || !has_room(static_cast<std::uint64_t>(looked.error().cause))) {
                return fail_with(looked.error());
            }
        }
        std::set<std::uint64_t> left_out;
        for (const IndexRanges *ranges :
             std::array<const IndexRanges *, 5>{&prepared.present, &prepared.uncompared,
                                                &prepared.unwanted, &unwanted, &prepared.linked}) {
            for (const IndexRange &range : *ranges) {
                for (std::uint64_t at = 0; at < range.count; ++at) {
                    left_out.insert(range.first + at);
                }
            }
        }
        for (const WriteFailure &failure : prepared.failures) {
            failures[failure.index] = failure.error.code;
            left_out.insert(failure.index);
        }
        for (std::uint64_t index = 0; index < offered_.contents.size(); ++index) {
            if (offered_.manifest->kind(index) == EntryKind::File && !left_out.contains(index)) {
                missing_[index][0] = offered_.contents[index].size();
            }
        }
        for (const Have &have : prepared.have) {
            answer(have);
        }
        return true;
    }

    bool send_all() {
        while (!missing_.empty() || !unpublished_.empty()) {
            for (std::size_t sent = 0; sent < options_.segments_a_round && !missing_.empty();
                 ++sent) {
                if (segments_ == options_.max_segments || !send_one()) {
                    return false;
                }
            }
            if (!commit()) {
                return false;
            }
        }
        return true;
    }

    bool commit() {
        options_.before_commit();
        const CommitResult result = folder->commit();
        const bool alive = options_.alive();
        for (const CommitResult::Published &file : result.published) {
            if (alive) {
                published.insert(file.index);
            }
            renamed += file.renamed ? 1 : 0;
            unpublished_.erase(file.index);
        }
        for (const WriteFailure &failure : result.failures) {
            failures[failure.index] = failure.error.code;
            unpublished_.erase(failure.index);
        }
        lost_attributes.merge(std::map(result.lost_attributes));
        receive_instead(result.unlinked);
        for (const Piece &piece : result.damaged) {
            ++damaged;
            unpublished_.erase(piece.index);
            missing_[piece.index][piece.offset] = piece.length;
        }
        for (const Piece &piece : result.unsynced) {
            ++damaged;
            unpublished_.erase(piece.index);
            missing_[piece.index][piece.offset] = piece.length;
        }
        if (result.fatal && result.fatal->code == ErrorCode::DiskFull) {
            return has_room(1) || fail_with(*result.fatal);
        }
        if (result.fatal) {
            return fail_with(*result.fatal);
        }
        if (alive) {
            synced = verified;
        }
        return true;
    }

    bool finish() {
        auto done = folder->finish();
        if (!done) {
            return fail_with(done.error());
        }
        for (const WriteFailure &failure : done->failures) {
            failures[failure.index] = failure.error.code;
        }
        lost_attributes.merge(done->lost_attributes);
        return true;
    }

    /// Sends entries that can't be linked.
    void receive_instead(const std::vector<std::uint64_t> &unlinked) {
        for (const std::uint64_t index : unlinked) {
            folder->want({{.first = index, .count = 1}});
            missing_[index][0] = offered_.contents[index].size();
        }
    }

    std::shared_ptr<ReceiveFolder> folder;
    IndexRanges unwanted;
    Prepared prepared;
    std::optional<Error> error;
    std::map<std::uint64_t, ErrorCode> failures;
    std::map<std::uint64_t, Error> lost_attributes;
    std::set<std::uint64_t> published;
    std::uint64_t renamed = 0;
    std::uint64_t damaged = 0;
    std::uint64_t bytes_sent = 0;
    std::set<std::uint64_t> sent_files;
    std::set<std::uint64_t> restarted;
    /// Verified bytes from the beginning of each file; and the same after the last round.
    std::map<std::uint64_t, std::uint64_t> verified;
    std::map<std::uint64_t, std::uint64_t> synced;
    /// Offset at which each partial file was resumed.
    std::map<std::uint64_t, std::uint64_t> resumed_at;

private:
    std::vector<Chunks> chunks_of(std::uint64_t index) const {
        Chunks list{.index = index, .validator = options_.validator};
        for (ByteView left = as_bytes(offered_.contents[index]); !left.empty();) {
            const std::size_t length =
                chunk_length(left, *ChunkLengths::of(offered_.contents[index].size()));
            list.runs.push_back(
                {.length = length, .hash = shortened(hash_of(as_text(left.first(length))))});
            left = left.subspan(length);
        }
        return {list};
    }

    bool fail_with(Error with) {
        error = std::move(with);
        return false;
    }

    bool has_room(std::uint64_t need) { return options_.make_room && options_.make_room(need); }

    void answer(const Have &have) {
        const std::string &content = offered_.contents[have.index];
        std::vector<ByteRange> different;
        if (have.validator == kBasisValidator) {
            if (compare(have, different)) {
                go_on(have, std::move(different));
            } else {
                start_over(have.index);
            }
            return;
        }
        const auto length = static_cast<std::size_t>(have.offset - have.hash_begin);
        const bool same = hash_of(std::string_view(content).substr(
                              static_cast<std::size_t>(have.hash_begin), length)) == have.hash;
        if (same) {
            go_on(have, {});
        } else {
            start_over(have.index);
        }
    }

    void start_over(std::uint64_t index) {
        restarted.insert(index);
        if (!folder->restart(index)) {
            missing_.erase(index);
        }
    }

    /// Compares all claimed bytes by their hashes; false if none are the same.
    bool compare(const Have &have, std::vector<ByteRange> &different) const {
        const std::string_view content = offered_.contents[have.index];
        std::uint64_t end = 0;
        std::uint64_t bytes = 0;
        for (const Extents::Run &run : prepared.extents.at(have.index)) {
            const auto own =
                content.substr(static_cast<std::size_t>(end), static_cast<std::size_t>(run.length));
            if (shortened(hash_of(own)) != run.hash) {
                different.push_back({.offset = end, .length = run.length});
                bytes += run.length;
            }
            end += run.length;
        }
        EXPECT_EQ(end, have.offset);
        return bytes < have.offset;
    }

    void go_on(const Have &have, std::vector<ByteRange> lost) {
        const std::string &content = offered_.contents[have.index];
        resumed_at[have.index] = have.offset;
        verified[have.index] = have.offset;
        auto &missing = missing_[have.index];
        missing.clear();
        for (const Piece &piece : prepared.missing) {
            const bool known = std::ranges::any_of(
                lost, [&](const ByteRange &range) { return range.offset == piece.offset; });
            if (piece.index == have.index && !known) {
                lost.push_back({.offset = piece.offset, .length = piece.length});
            }
        }
        for (const ByteRange &range : lost) {
            verified[have.index] = std::min(verified[have.index], range.offset);
            missing[range.offset] = range.length;
        }
        folder->invalidate(have.index, lost);
        if (options_.validator != WireId{}) {
            folder->on_validator({.index = have.index, .validator = options_.validator});
        }
        if (have.offset < content.size()) {
            missing[have.offset] = content.size() - have.offset;
        } else if (missing.empty()) {
            missing_.erase(have.index);
            whole(have.index);
        }
    }

    void whole(std::uint64_t index) {
        unpublished_.insert(index);
        folder->add_complete({index});
    }

    /// The next missing run of bytes: one piece, or small whole files.
    SegmentPlan next_plan() const {
        SegmentPlan plan;
        std::uint64_t bytes = 0;
        for (const auto &[index, runs] : missing_) {
            const auto [offset, length] = *runs.begin();
            const bool small = offset == 0 && length == offered_.contents[index].size() &&
                               length <= options_.piece;
            if (!small && plan.empty()) {
                return {{index, offset, std::min(length, options_.piece)}};
            }
            if (!small || plan.size() == options_.batch_files ||
                (!plan.empty() && bytes + length > options_.batch_bytes)) {
                break;
            }
            plan.push_back({index, offset, length});
            bytes += length;
        }
        return plan;
    }

    bool send_one() {
        const SegmentPlan plan = next_plan();
        Bytes header;
        encode_segment_header(plan, header);
        std::string data;
        for (const Piece &piece : plan) {
            data += offered_.contents[piece.index].substr(piece.offset, piece.length);
            sent_files.insert(piece.index);
        }
        SegmentWriter writer(folder, plan, header);
        const Bytes stream = data_and_hash(header, data);
        ByteView rest(stream);
        do {
            const ByteView next = rest.first(std::min(options_.chunk, rest.size()));
            if (auto written = writer.write(next); !written) {
                return fail_with(written.error());
            }
            rest = rest.subspan(next.size());
        } while (!rest.empty());
        bytes_sent += data.size();
        ++segments_;
        return after_segment(writer);
    }

    bool after_segment(SegmentWriter &writer) {
        for (const WriteFailure &failure : writer.failures()) {
            failures[failure.index] = failure.error.code;
            missing_.erase(failure.index);
            receive_instead(folder->drop({{failure.index, 1}}));
        }
        if (writer.outcome() == SegmentOutcome::NoRoom) {
            return has_room(writer.shortage().bytes) ||
                   fail_with({.code = ErrorCode::DiskFull, .detail = "no room"});
        }
        if (writer.outcome() == SegmentOutcome::Damaged ||
            writer.outcome() == SegmentOutcome::Voided) {
            ++damaged;
            return damaged < 1000 || fail_with({.code = ErrorCode::HashMismatch});
        }
        EXPECT_EQ(writer.outcome(), SegmentOutcome::Verified);
        for (const Piece &piece : writer.plan()) {
            if (!failures.contains(piece.index)) {
                take(piece);
            }
        }
        return true;
    }

    void take(const Piece &piece) {
        auto &runs = missing_[piece.index];
        const std::uint64_t left = runs[piece.offset] - piece.length;
        runs.erase(piece.offset);
        if (left > 0) {
            runs[piece.offset + piece.length] = left;
        }
        if (verified[piece.index] == piece.offset && options_.alive()) {
            verified[piece.index] += piece.length;
        }
        if (runs.empty()) {
            missing_.erase(piece.index);
            whole(piece.index);
        }
    }

    const Offered &offered_;
    std::string target_;
    SendOptions options_;
    /// Missing runs of each file: offset and length.
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> missing_;
    std::set<std::uint64_t> unpublished_;
    std::size_t segments_ = 0;
};

} // namespace thru::test
