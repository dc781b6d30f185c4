#include "io/segment_reader.h"

#include <algorithm>
#include <utility>

#include "crypto/digest.h"
#include "io/file_system.h"

namespace thru {

SourceFiles::SourceFiles(std::shared_ptr<const ManifestTable> manifest,
                         std::function<std::string(std::size_t)> absolute_path)
    : manifest_(std::move(manifest)), absolute_path_(std::move(absolute_path)) {}

SourceFiles::~SourceFiles() = default;

const ManifestTable &SourceFiles::manifest() const { return *manifest_; }

std::string SourceFiles::absolute_path(std::size_t index) const { return absolute_path_(index); }

namespace {

Error source_changed(std::string detail) {
    return {.code = ErrorCode::SourceChanged, .detail = std::move(detail)};
}

/// Opens the file of an entry if it is what was scanned.
Result<fs::FileHandle> open_source(const SourceFiles &files, std::size_t index) {
    auto file = fs::open_for_reading(files.absolute_path(index));
    if (file) {
        return std::move(*file);
    }
    if (file.error().trouble == fs::Trouble::Link) {
        return std::unexpected(source_changed("a link now"));
    }
    return std::unexpected(fs::reading_error(file.error(), "open"));
}

Result<> check_unchanged(const SourceFiles &files, std::size_t index, const fs::FileHandle &file) {
    const auto status = fs::status_of(file);
    if (!status) {
        return std::unexpected(fs::reading_error(status.error(), "look at"));
    }
    const ManifestTable &manifest = files.manifest();
    if (status->type != fs::FileType::File) {
        return std::unexpected(source_changed("no file any more"));
    }
    if (status->size != manifest.file_size(index) || status->mtime_ns != manifest.mtime_ns(index)) {
        return std::unexpected(source_changed("size or time differ from when it was scanned"));
    }
    return {};
}

} // namespace

struct SegmentReader::State {
    std::shared_ptr<const SourceFiles> files;
    SegmentPlan plan;
    /// Type byte and header, then the hash: what the stream has besides file data.
    Bytes header;
    std::size_t header_sent = 0;
    Digest hash{};
    std::size_t hash_sent = 0;
    Blake3 hasher;
    std::size_t piece = 0;
    std::uint64_t piece_read = 0;
    /// Of the current piece; closed between pieces.
    fs::FileHandle file;

    Result<std::size_t> read_data(MutableByteView out);
    Result<> read_piece(MutableByteView out);
};

/// Fills `out` until the data ends. An Error concerns the current piece.
Result<std::size_t> SegmentReader::State::read_data(MutableByteView out) {
    std::size_t filled = 0;
    while (piece < plan.size()) {
        const Piece &current = plan[piece];
        const std::uint64_t left = current.length - piece_read;
        const auto take =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, out.size() - filled));
        if (take == 0 && left > 0) {
            break;
        }
        if (auto read = read_piece(out.subspan(filled, take)); !read) {
            return std::unexpected(std::move(read).error());
        }
        filled += take;
    }
    // At once, over all small files together: BLAKE3 is several times faster on long runs.
    hasher.update(out.first(filled));
    return filled;
}

/// Fills `out` from the current piece and goes on to the next one at its end.
Result<> SegmentReader::State::read_piece(MutableByteView out) {
    const Piece &current = plan[piece];
    if (!file.is_open()) {
        auto opened = open_source(*files, current.index);
        if (!opened) {
            return std::unexpected(std::move(opened).error());
        }
        file = std::move(*opened);
        if (auto same = check_unchanged(*files, current.index, file); !same) {
            return same;
        }
    }
    const auto got = fs::read_at(file, current.offset + piece_read, out);
    if (!got) {
        return std::unexpected(fs::reading_error(got.error(), "read"));
    }
    if (*got < out.size()) {
        return std::unexpected(source_changed("shorter than when it was scanned"));
    }
    piece_read += *got;
    if (piece_read < current.length) {
        return {};
    }
    // Again at the end: what was read in between may be half old, half new.
    if (auto same = check_unchanged(*files, current.index, file); !same) {
        return same;
    }
    file = {};
    piece_read = 0;
    ++piece;
    return {};
}

SegmentReader::SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan)
    : state_(std::make_unique<State>()) {
    state_->files = std::move(files);
    state_->plan = std::move(plan);
    encode_segment_header(state_->plan, state_->header);
    state_->hasher.update(state_->header);
}

SegmentReader::~SegmentReader() = default;

std::expected<std::size_t, SegmentReader::Failure> SegmentReader::read(MutableByteView chunk) {
    State &state = *state_;
    const auto copy = [&chunk](ByteView from, std::size_t &sent, std::size_t to) {
        const std::size_t take = std::min(from.size() - sent, chunk.size() - to);
        std::ranges::copy(from.subspan(sent, take), chunk.subspan(to).begin());
        sent += take;
        return take;
    };
    std::size_t filled = copy(state.header, state.header_sent, 0);
    auto data = state.read_data(chunk.subspan(filled));
    if (!data) {
        return std::unexpected(
            Failure{.index = state.plan[state.piece].index, .error = std::move(data).error()});
    }
    filled += *data;
    if (state.piece == state.plan.size()) {
        if (state.hash_sent == 0) {
            state.hash = state.hasher.finish();
        }
        filled += copy(state.hash, state.hash_sent, filled);
    }
    return filled;
}

bool SegmentReader::finished() const { return state_->hash_sent == state_->hash.size(); }

const SegmentPlan &SegmentReader::plan() const { return state_->plan; }

std::uint64_t SegmentReader::stream_bytes() const {
    return state_->header.size() + plan_bytes(state_->plan) + state_->hash.size();
}

} // namespace thru
