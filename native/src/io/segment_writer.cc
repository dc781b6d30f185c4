#include <algorithm>
#include <optional>
#include <utility>

#include "crypto/digest.h"
#include "io/receive_folder.h"
#include "io/receive_state.h"

namespace thru {

struct SegmentWriter::State {
    State(std::shared_ptr<ReceiveFolder> receive_folder, ReceiveFolder::State &shared_state,
          SegmentPlan segment_plan)
        : folder(std::move(receive_folder)), shared(shared_state), plan(std::move(segment_plan)) {}

    /// A file that lies whole in this segment, under the name it has until the hash was right.
    struct WholeFile {
        std::uint64_t index = 0;
        std::string part;
    };

    Result<> write_data(ByteView data);
    Result<> begin_piece();
    Result<> open_file(const Piece &current);
    Result<> write_piece(ByteView data);
    Result<> end_piece();
    Result<> take_hash(ByteView bytes);
    Result<> name_files();
    Result<> name_file(const WholeFile &file);
    Result<> give_up(std::uint64_t index, Error error);
    void remove(const WholeFile &file);

    std::shared_ptr<ReceiveFolder> folder;
    ReceiveFolder::State &shared;
    SegmentPlan plan;
    FolderCursor cursor{shared.target};
    Blake3 hasher;

    std::size_t piece = 0;
    std::uint64_t piece_written = 0;
    std::uint64_t data_left = plan_bytes(plan);
    /// The current piece was begun: it goes into one of these two, or nowhere when that failed.
    bool begun = false;
    fs::FileHandle whole_file;
    std::shared_ptr<fs::FileHandle> part_file;

    /// The one being written is the last.
    std::vector<WholeFile> whole_files;
    std::size_t named = 0;
    Digest hash{};
    std::size_t hash_bytes = 0;
    bool complete = false;
    /// What ended it: nothing may get a name after that.
    std::optional<Error> ended_by;
    std::vector<WriteFailure> failures;
    std::uint64_t renamed = 0;
};

/// Also without data: that is how empty files are made.
Result<> SegmentWriter::State::write_data(ByteView data) {
    // At once, over all small files together: BLAKE3 is several times faster on long runs.
    hasher.update(data);
    data_left -= data.size();
    while (piece < plan.size()) {
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
    auto opened = open_file(plan[piece]);
    return opened ? opened : give_up(plan[piece].index, std::move(opened).error());
}

Result<> SegmentWriter::State::open_file(const Piece &current) {
    const bool whole =
        current.offset == 0 && current.length == shared.target.manifest().file_size(current.index);
    if (!whole) {
        auto part = shared.parts.open(current.index);
        if (!part) {
            return std::unexpected(std::move(part).error());
        }
        part_file = std::move(*part);
        return {};
    }
    const auto place = cursor.place(current.index);
    if (!place) {
        return std::unexpected(place.error());
    }
    auto part = shared.target.create_part(*place->folder, current.index);
    if (!part) {
        return std::unexpected(std::move(part).error());
    }
    whole_file = std::move(part->file);
    whole_files.push_back({.index = current.index, .part = std::move(part->name)});
    return {};
}

Result<> SegmentWriter::State::write_piece(ByteView data) {
    const Piece &current = plan[piece];
    const std::uint64_t offset = current.offset + piece_written;
    piece_written += data.size();
    if (!whole_file.is_open() && !part_file) {
        return {};
    }
    const auto written = fs::write_at(part_file ? *part_file : whole_file, offset, data);
    return written ? Result<>{}
                   : give_up(current.index, fs::writing_error(written.error(), "write"));
}

Result<> SegmentWriter::State::end_piece() {
    const std::uint64_t index = plan[piece].index;
    ++piece;
    piece_written = 0;
    begun = false;
    part_file.reset();
    if (!whole_file.is_open()) {
        return {};
    }
    shared.target.seal(whole_file, index);
    const auto closed = whole_file.close();
    return closed ? Result<>{} : give_up(index, fs::writing_error(closed.error(), "close"));
}

/// The current file can't be written. A full disk ends the transfer, every further file would fail,
/// too; all else is this file's trouble alone.
Result<> SegmentWriter::State::give_up(std::uint64_t index, Error error) {
    part_file.reset();
    whole_file = {};
    if (!whole_files.empty() && whole_files.back().index == index) {
        remove(whole_files.back());
        whole_files.pop_back();
    }
    if (error.code == ErrorCode::DiskFull) {
        return std::unexpected(std::move(error));
    }
    failures.push_back({.index = index, .error = std::move(error)});
    return {};
}

Result<> SegmentWriter::State::take_hash(ByteView bytes) {
    if (bytes.size() > hash.size() - hash_bytes) {
        return fail(ErrorCode::PeerProtocol, 0, "bytes after the end of a segment");
    }
    std::ranges::copy(bytes, hash.begin() + static_cast<std::ptrdiff_t>(hash_bytes));
    hash_bytes += bytes.size();
    if (hash_bytes < hash.size() || complete) {
        return {};
    }
    if (!digests_equal(hash, hasher.finish())) {
        return fail(ErrorCode::HashMismatch, 0, "segment");
    }
    auto finished = name_files();
    complete = finished.has_value();
    return finished;
}

Result<> SegmentWriter::State::name_files() {
    for (; named < whole_files.size(); ++named) {
        const WholeFile &file = whole_files[named];
        auto done = name_file(file);
        if (done) {
            continue;
        }
        if (done.error().code == ErrorCode::DiskFull) {
            return done;
        }
        remove(file);
        failures.push_back({.index = file.index, .error = std::move(done).error()});
    }
    return {};
}

Result<> SegmentWriter::State::name_file(const WholeFile &file) {
    const auto place = cursor.place(file.index);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto other_name = give_name(*place, file.part);
    if (!other_name) {
        return std::unexpected(other_name.error());
    }
    renamed += *other_name ? 1 : 0;
    return {};
}

void SegmentWriter::State::remove(const WholeFile &file) {
    if (const auto place = cursor.place(file.index)) {
        // Nothing is lost if it stays: it is no final file.
        static_cast<void>(fs::remove_file(*place->folder, file.part));
    }
}

SegmentWriter::SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan,
                             ByteView header) {
    ReceiveFolder::State &shared = *folder->state_;
    state_ = std::make_unique<State>(std::move(folder), shared, std::move(plan));
    state_->hasher.update(header);
}

SegmentWriter::~SegmentWriter() {
    state_->whole_file = {};
    for (; state_->named < state_->whole_files.size(); ++state_->named) {
        state_->remove(state_->whole_files[state_->named]);
    }
}

Result<> SegmentWriter::write(ByteView bytes) {
    if (state_->ended_by) {
        return std::unexpected(*state_->ended_by);
    }
    const auto data = bytes.first(std::min<std::uint64_t>(bytes.size(), state_->data_left));
    auto written = state_->write_data(data);
    if (written) {
        written = state_->take_hash(bytes.subspan(data.size()));
    }
    if (!written) {
        state_->ended_by = written.error();
    }
    return written;
}

bool SegmentWriter::complete() const { return state_->complete; }

const SegmentPlan &SegmentWriter::plan() const { return state_->plan; }

const std::vector<WriteFailure> &SegmentWriter::failures() const { return state_->failures; }

std::uint64_t SegmentWriter::renamed() const { return state_->renamed; }

} // namespace thru
