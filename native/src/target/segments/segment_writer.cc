#include "target/segments/segment_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "crypto/digest.h"
#include "target/metadata.h"
#include "target/writer_access.h"

namespace thru {

namespace {

/// Bytes of a segment that may be lost if the program is killed.
constexpr std::uint64_t kProgressBytes = 4 << 20;

} // namespace

struct SegmentWriter::State {
    State(SegmentWriter &segment, std::shared_ptr<const WriterAccess> folder_access,
          ByteView header, std::vector<bool> dropped_pieces)
        : folder(std::move(folder_access)), plan(segment.plan_), outcome(segment.outcome_),
          failures(segment.failures_), shortage(segment.shortage_), texts(segment.texts_),
          dropped(std::move(dropped_pieces)) {
        dropped.resize(plan.size());
        stream_hasher.update(header);
    }

    Result<> write_data(ByteView data);
    Result<> begin_piece();
    Result<> open_file(const Piece &current);
    Result<> write_piece(ByteView data);
    Result<> count_written(const fs::SystemResult<> &written, std::size_t bytes);
    Result<> end_piece();
    Result<> receive_hash(ByteView bytes);
    void verified(const Digest &data_hash);
    Result<> give_up(std::uint64_t index, Error error);
    void revert(SegmentOutcome with);

    /// Keeps the folder alive.
    const std::shared_ptr<const WriterAccess> folder;
    const WriterAccess &access = *folder;
    const SegmentPlan &plan;
    SegmentOutcome &outcome;
    std::vector<WriteFailure> &failures;
    Shortage &shortage;
    std::vector<Text> &texts;
    std::vector<bool> dropped;
    FolderCursor cursor{access.target};
    /// Hashes the header and the data's hash: the end of the stream.
    Blake3 stream_hasher;
    Blake3 hasher;
    /// WriteLedger::generation() at the first byte: failed commits before it lost none of its data.
    std::optional<std::uint64_t> generation;

    std::size_t piece = 0;
    std::uint64_t piece_written = 0;
    std::uint64_t logged_progress = 0;
    std::uint64_t data_left = plan_bytes(plan);
    /// The current piece has begun: its data is written to one of these, or dropped.
    bool begun = false;
    fs::FileHandle small_file;
    std::shared_ptr<OpenPart> large_file;
    bool into_text = false;
    std::optional<Blake3> small_hasher;

    /// Complete files of this segment; the last one is being written.
    Batch batch;
    /// The file, if the segment is one piece of it.
    std::shared_ptr<LargePart> large;
    Digest hash{};
    std::size_t hash_bytes = 0;
    std::optional<Error> ended_by;
};

/// Called without data as well: that creates empty files.
Result<> SegmentWriter::State::write_data(ByteView data) {
    // One call over all small files: BLAKE3 is several times faster on long runs.
    hasher.update(data);
    data_left -= data.size();
    while (piece < plan.size() && outcome == SegmentOutcome::Unfinished) {
        if (auto began = begin_piece(); !began) {
            return began;
        }
        const std::uint64_t left = plan[piece].length - piece_written;
        const ByteView next = data.first(std::min<std::uint64_t>(left, data.size()));
        if (next.empty() && left > 0) {
            return {};
        }
        if (auto written = write_piece(next); !written) {
            return written;
        }
        data = data.subspan(next.size());
        if (next.size() == left) {
            if (auto ended = end_piece(); !ended) {
                return ended;
            }
        }
    }
    return {};
}

Result<> SegmentWriter::State::begin_piece() {
    if (begun) {
        return {};
    }
    begun = true;
    if (dropped[piece]) {
        return {};
    }
    const Piece &current = plan[piece];
    if (access.manifest.text(current.index)) {
        into_text = true;
        texts.push_back({.index = current.index, .text = {}});
        return {};
    }
    if (!access.entries.accepts(current.index)) {
        return {};
    }
    auto opened = open_file(current);
    return opened ? opened : give_up(current.index, std::move(opened).error());
}

Result<> SegmentWriter::State::open_file(const Piece &current) {
    const auto &manifest = access.manifest;
    // The first piece of a stream looks like the whole until more is known.
    const bool may_grow = manifest.stream(current.index) && current.length > 0;
    const bool whole =
        current.offset == 0 && current.length == manifest.file_size(current.index) && !may_grow;
    if (!whole) {
        auto part = access.ledger.large(current.index);
        if (!part || !*part) {
            return part ? Result<>{} : std::unexpected(std::move(part).error());
        }
        large = std::move(*part);
        auto file = access.ledger.open(*large);
        if (!file) {
            return std::unexpected(std::move(file).error());
        }
        large_file = std::move(*file);
        return access.store.reserve(*large, large_file->file(), current.offset + current.length);
    }
    auto part = access.store.create(cursor, current.index);
    if (!part) {
        return std::unexpected(std::move(part).error());
    }
    small_file = std::move(part->second);
    batch.members.push_back({.index = current.index, .part = part->first});
    if (access.options.verify) {
        small_hasher.emplace();
    }
    return {};
}

Result<> SegmentWriter::State::write_piece(ByteView data) {
    const std::uint64_t offset = plan[piece].offset + piece_written;
    piece_written += data.size();
    if (into_text) {
        texts.back().text += as_text(data);
    } else if (small_file.is_open()) {
        if (small_hasher) {
            small_hasher->update(data);
        }
        return count_written(fs::write_at(small_file, offset, data), data.size());
    } else if (large_file) {
        const auto written = large_file->write_at(offset, data);
        if (auto counted = count_written(written, data.size()); !counted || !large_file) {
            return counted;
        }
        if (piece_written - logged_progress >= kProgressBytes && data_left > 0) {
            logged_progress = piece_written;
            access.ledger.add_progress(large, plan[piece].offset, offset + data.size());
            access.ledger.flush_journal();
        }
    }
    return {};
}

Result<> SegmentWriter::State::count_written(const fs::SystemResult<> &written, std::size_t bytes) {
    if (!written) {
        return give_up(plan[piece].index, fs::writing_error(written.error(), "write"));
    }
    access.ledger.count_written(bytes);
    return {};
}

Result<> SegmentWriter::State::end_piece() {
    const std::uint64_t index = plan[piece].index;
    ++piece;
    piece_written = 0;
    begun = false;
    into_text = false;
    large_file.reset();
    if (!small_file.is_open()) {
        return {};
    }
    apply_metadata(access, small_file, index);
    if (small_hasher) {
        batch.members.back().hash = shortened(small_hasher->finish());
        small_hasher.reset();
    }
    const auto closed = small_file.close();
    return closed ? Result<>{} : give_up(index, fs::writing_error(closed.error(), "close"));
}

/// The current file can't be written. Without room the whole segment is void; without the disk the
/// transfer fails; other errors concern only this file.
Result<> SegmentWriter::State::give_up(std::uint64_t index, Error error) {
    large_file.reset();
    small_file = {};
    small_hasher.reset();
    if (!batch.members.empty() && batch.members.back().index == index) {
        access.store.discard(index, batch.members.back().part);
        batch.members.pop_back();
    }
    switch (error.code) {
    case ErrorCode::DiskFull:
        shortage = {.kind = access.target.shortage_kind(error),
                    .bytes = std::max<std::uint64_t>(
                        {large ? access.store.unreserved(*large) : 0, plan_bytes(plan), 1})};
        revert(SegmentOutcome::NoRoom);
        return {};
    case ErrorCode::TargetGone:
        return std::unexpected(std::move(error));
    case ErrorCode::Stopped:
        // The entry was dropped, unless everything is stopped.
        return access.ledger.closed() ? Result<>(std::unexpected(std::move(error))) : Result<>{};
    default:
        failures.push_back({.index = index, .error = std::move(error)});
        return {};
    }
}

Result<> SegmentWriter::State::receive_hash(ByteView bytes) {
    if (bytes.size() > hash.size() - hash_bytes) {
        return fail(ErrorCode::PeerProtocol, 0, "bytes after the end of a segment");
    }
    std::ranges::copy(bytes, hash.begin() + static_cast<std::ptrdiff_t>(hash_bytes));
    hash_bytes += bytes.size();
    if (hash_bytes < hash.size() || outcome != SegmentOutcome::Unfinished) {
        return {};
    }
    const Digest data_hash = hasher.finish();
    stream_hasher.update(data_hash);
    if (digests_equal(hash, stream_hasher.finish())) {
        verified(data_hash);
    } else {
        revert(SegmentOutcome::Damaged);
    }
    return {};
}

void SegmentWriter::State::verified(const Digest &data_hash) {
    bool counts = true;
    if (large && failures.empty()) {
        const Piece &current = plan.front();
        counts = access.ledger.add_extent(
            large,
            {.offset = current.offset, .length = current.length, .hash = shortened(data_hash)},
            *generation);
    } else if (!batch.members.empty()) {
        batch.hash = shortened(data_hash);
        batch.complete = batch.members.size() == plan.size();
        counts = access.ledger.add_batch(std::exchange(batch, {}), *generation);
    }
    if (!counts) {
        revert(SegmentOutcome::Voided);
        return;
    }
    access.ledger.flush_journal();
    outcome = SegmentOutcome::Verified;
}

void SegmentWriter::State::revert(SegmentOutcome with) {
    outcome = with;
    small_file = {};
    large_file.reset();
    texts.clear();
    for (const Batch::Member &member : std::exchange(batch.members, {})) {
        access.store.discard(member.index, member.part);
    }
    if (large) {
        access.ledger.void_piece(large, plan.front());
        access.ledger.flush_journal();
    }
}

SegmentWriter::SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan,
                             ByteView header, std::vector<bool> dropped)
    : SegmentSink(std::move(plan)) {
    const WriterAccess &access = folder->writer_access();
    state_ = std::make_unique<State>(
        *this, std::shared_ptr<const WriterAccess>(std::move(folder), &access), header,
        std::move(dropped));
}

SegmentWriter::~SegmentWriter() {
    state_->small_file = {};
    for (const Batch::Member &member : state_->batch.members) {
        state_->access.store.discard(member.index, member.part);
    }
}

Result<> SegmentWriter::write(ByteView bytes) {
    if (state_->ended_by) {
        return std::unexpected(*state_->ended_by);
    }
    const auto written = [&]() -> Result<> {
        if (state_->access.ledger.closed()) {
            return fail(ErrorCode::Stopped, 0, "the receive was suspended");
        }
        const bool reverted = state_->outcome != SegmentOutcome::Unfinished &&
                              state_->outcome != SegmentOutcome::Verified;
        if (reverted) {
            return {};
        }
        if (!state_->generation) {
            state_->generation = failed_syncs_ = state_->access.ledger.generation();
        }
        const auto data = bytes.first(std::min<std::uint64_t>(bytes.size(), state_->data_left));
        if (auto done = state_->write_data(data); !done) {
            return done;
        }
        return state_->outcome == SegmentOutcome::NoRoom
                   ? Result<>{}
                   : state_->receive_hash(bytes.subspan(data.size()));
    }();
    if (!written) {
        state_->ended_by = written.error();
    }
    return written;
}

} // namespace thru
