#include "source/segment_reader.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "crypto/digest.h"
#include "fs/file_hash.h"
#include "fs/file_system.h"
#include "fs/read_ahead.h"

namespace thru {

namespace {

/// Files opened ahead: a disk answers several concurrent requests sooner.
constexpr std::size_t kMaxAhead = 32;

} // namespace

struct SegmentReader::State {
    std::shared_ptr<const SourceFiles> files;
    SegmentPlan plan;
    /// Type byte and header; then the hash: the parts of the stream besides file data.
    Bytes header;
    std::size_t header_sent = 0;
    Hash hash{};
    std::size_t hash_sent = 0;
    /// Another reader has computed the hash.
    bool hash_known = false;
    Blake3 data_hash;
    std::size_t piece = 0;
    std::uint64_t piece_read = 0;
    /// The current piece's file; closed between pieces.
    SourceFiles::OpenFile file;
    /// Files of the following pieces; closed if opening failed or none is needed.
    std::deque<SourceFiles::OpenFile> ahead;
    /// Bytes of those pieces.
    std::uint64_t ahead_bytes = 0;
    /// The first piece whose file changed its version during reading for no visible reason.
    std::optional<std::size_t> doubtful;
    /// The current piece is read, but its file is not settled yet.
    bool unsettled = false;

    std::expected<std::size_t, Failure> read_data(MutableByteView out);
    std::expected<void, Failure> check_data(ByteView data);
    bool reads_the_same() const;
    bool comes_in_pieces() const;
    void open_ahead(std::size_t room);
    Result<> read_piece(MutableByteView out);
    void skip(std::uint64_t bytes);
    void end_piece();
    void read_text(const std::string &text, MutableByteView out);
    Result<> read_file(MutableByteView out);
    Result<> end_file();
    Result<> open_file();
    Hash stream_hash() const;
};

/// Fills `out` until the data ends.
std::expected<std::size_t, SegmentReader::Failure>
SegmentReader::State::read_data(MutableByteView out) {
    std::size_t filled = 0;
    const auto failure = [this](Error error) {
        return std::unexpected(Failure{.index = plan[piece].index, .error = std::move(error)});
    };
    while (piece < plan.size()) {
        const std::uint64_t left = plan[piece].length - piece_read;
        const auto take =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, out.size() - filled));
        if (take == 0 && left > 0) {
            break;
        }
        open_ahead(out.size() - filled);
        if (auto read = read_piece(out.subspan(filled, take)); !read) {
            return failure(std::move(read).error());
        }
        if (unsettled) {
            return 0;
        }
        filled += take;
    }
    if (hash_known) {
        // A different reader continues to the end of the piece.
        if (piece_read > 0 && file.handle.is_open()) {
            if (auto same = files->check(plan[piece].index, file.handle); !same) {
                return failure(std::move(same).error());
            }
        }
    } else if (auto checked = check_data(out.first(filled)); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    return filled;
}

/// Adds the data to the hash. Fails unless it is of one version of each file.
std::expected<void, SegmentReader::Failure> SegmentReader::State::check_data(ByteView data) {
    const auto modified = [this](std::size_t which) {
        return std::unexpected(
            Failure{.index = plan[which].index,
                    .error = {.code = ErrorCode::SourceChanged, .detail = "it was modified"}});
    };
    // One call over all small files: BLAKE3 is several times faster on long runs.
    data_hash.update(data);
    if (doubtful && !reads_the_same()) {
        return modified(*doubtful);
    }
    doubtful.reset();
    if (piece == plan.size() && comes_in_pieces() &&
        !files->read_log().add(plan.front(), file.version, shortened(data_hash.finish()))) {
        return modified(0);
    }
    return {};
}

/// Reads everything up to here again: a change in between shows in the data.
bool SegmentReader::State::reads_the_same() const {
    Blake3 again;
    for (std::size_t which = 0; which < plan.size() && which <= piece; ++which) {
        const Piece &of = plan[which];
        const std::uint64_t end = of.offset + (which < piece ? of.length : piece_read);
        if (const std::string *text = files->text(of.index)) {
            again.update(as_bytes(*text).subspan(static_cast<std::size_t>(of.offset),
                                                 static_cast<std::size_t>(end - of.offset)));
            continue;
        }
        const auto opened = files->open(of.index);
        if (!opened || !hash_range(opened->handle, of.offset, end, {&again})) {
            return false;
        }
    }
    return digests_equal(again.finish(), data_hash.finish());
}

/// True if the plan is a part of one file.
bool SegmentReader::State::comes_in_pieces() const {
    const Piece &first = plan.front();
    return plan.size() == 1 && files->text(first.index) == nullptr &&
           files->stream(first.index) == nullptr &&
           first.length < files->manifest().file_size(first.index);
}

/// Starts at this offset of the stream.
void SegmentReader::State::skip(std::uint64_t bytes) {
    header_sent = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, header.size()));
    bytes -= header_sent;
    while (piece < plan.size() && bytes >= plan[piece].length) {
        bytes -= plan[piece].length;
        ++piece;
    }
    if (piece < plan.size()) {
        piece_read = bytes;
    } else {
        hash_sent = static_cast<std::size_t>(bytes);
    }
}

/// Opens only files that end within `room`: all are closed when a chunk is full.
void SegmentReader::State::open_ahead(std::size_t room) {
    const std::uint64_t current = plan[piece].length - piece_read;
    for (std::size_t next = piece + 1 + ahead.size(); next < plan.size(); ++next) {
        const Piece &of = plan[next];
        if (ahead.size() == kMaxAhead || current + ahead_bytes + of.length > room) {
            return;
        }
        SourceFiles::OpenFile opened;
        if (of.length > 0 && files->text(of.index) == nullptr &&
            files->stream(of.index) == nullptr) {
            // Errors are reported when the file's turn comes.
            if (auto found = files->open(of.index)) {
                opened = std::move(*found);
                fs::read_ahead(opened.handle, of.offset, of.length);
            }
        }
        ahead.push_back(std::move(opened));
        ahead_bytes += of.length;
    }
}

/// Fills `out` from the current piece; moves to the next one at its end.
Result<> SegmentReader::State::read_piece(MutableByteView out) {
    if (const std::string *text = files->text(plan[piece].index)) {
        read_text(*text, out);
    } else if (const StreamSource *stream = files->stream(plan[piece].index)) {
        if (auto got = stream->read(plan[piece].offset + piece_read, out); !got) {
            return got;
        }
        piece_read += out.size();
    } else if (auto read = read_file(out); !read) {
        return read;
    }
    if (piece_read == plan[piece].length && !unsettled) {
        end_piece();
    }
    return {};
}

void SegmentReader::State::end_piece() {
    file.handle = {};
    piece_read = 0;
    ++piece;
    if (!ahead.empty()) {
        file = std::move(ahead.front());
        ahead.pop_front();
        ahead_bytes -= plan[piece].length;
    }
}

void SegmentReader::State::read_text(const std::string &text, MutableByteView out) {
    const std::uint64_t from = plan[piece].offset + piece_read;
    std::ranges::copy(as_bytes(text).subspan(static_cast<std::size_t>(from), out.size()),
                      out.begin());
    piece_read += out.size();
}

Result<> SegmentReader::State::read_file(MutableByteView out) {
    const Piece &current = plan[piece];
    if (!file.handle.is_open()) {
        if (auto opened = open_file(); !opened) {
            return opened;
        }
    }
    const auto got = fs::read_at(file.handle, current.offset + piece_read, out);
    if (!got) {
        return std::unexpected(fs::reading_error(got.error(), "read"));
    }
    if (*got < out.size()) {
        // Filling up with zeros would make a file that never existed.
        const auto same = files->check(current.index, file.handle);
        return same ? fail(ErrorCode::SourceChanged, 0, "it ended early")
                    : std::unexpected(same.error());
    }
    piece_read += *got;
    return piece_read < current.length ? Result<>{} : end_file();
}

/// Checks again at the end: the data may mix old and new content.
Result<> SegmentReader::State::end_file() {
    const std::uint64_t index = plan[piece].index;
    const auto now = files->check(index, file.handle);
    if (!now) {
        return std::unexpected(now.error());
    }
    if (hash_known) {
        return {}; // The hash lets the receiver detect mixed versions.
    }
    if (now->ctime_ns != file.version.ctime_ns && now->attributes == file.version.attributes) {
        doubtful = doubtful.value_or(piece);
    }
    file.version = *now;
    if (comes_in_pieces()) {
        const auto settled = files->settle(index, *now, file.handle);
        unsettled = settled && !*settled;
        return settled ? Result<>{} : std::unexpected(settled.error());
    }
    return {};
}

Result<> SegmentReader::State::open_file() {
    const std::uint64_t index = plan[piece].index;
    auto opened = files->open(index);
    if (!opened) {
        return std::unexpected(std::move(opened).error());
    }
    file = std::move(*opened);
    if (files->manifest().file_size(index) > 0) {
        return {};
    }
    // Generated files, for example in /proc, report size 0.
    std::array<std::uint8_t, 1> beyond{};
    const auto got = fs::read_at(file.handle, 0, beyond);
    if (!got) {
        return std::unexpected(fs::reading_error(got.error(), "read"));
    }
    if (*got > 0) {
        return fail(ErrorCode::PathUnsupported, 0, "its size is not known before it is read");
    }
    return {};
}

/// BLAKE3(header || BLAKE3(data)).
Hash SegmentReader::State::stream_hash() const {
    Blake3 hasher;
    hasher.update(header);
    hasher.update(data_hash.finish());
    return hasher.finish();
}

SegmentReader::SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan)
    : state_(std::make_unique<State>()) {
    state_->files = std::move(files);
    state_->plan = std::move(plan);
    encode_segment_header(state_->plan, state_->header);
}

SegmentReader::SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan,
                             std::uint64_t offset, const Hash &hash)
    : SegmentReader(std::move(files), std::move(plan)) {
    state_->hash = hash;
    state_->hash_known = true;
    state_->skip(offset);
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
    const std::size_t header_sent = state.header_sent;
    const std::uint64_t piece_read = state.piece_read;
    std::size_t filled = copy(state.header, state.header_sent, 0);
    const auto data = state.read_data(chunk.subspan(filled));
    if (!data) {
        return std::unexpected(data.error());
    }
    if (std::exchange(state.unsettled, false)) {
        state.header_sent = header_sent;
        state.piece_read = piece_read;
        return 0;
    }
    filled += *data;
    if (state.piece == state.plan.size()) {
        if (state.hash_sent == 0 && !state.hash_known) {
            state.hash = state.stream_hash();
        }
        filled += copy(state.hash, state.hash_sent, filled);
    }
    return filled;
}

bool SegmentReader::finished() const { return state_->hash_sent == state_->hash.size(); }

const Hash &SegmentReader::hash() const { return state_->hash; }

const SegmentPlan &SegmentReader::plan() const { return state_->plan; }

std::uint64_t SegmentReader::stream_bytes() const {
    return state_->header.size() + plan_bytes(state_->plan) + state_->hash.size();
}

} // namespace thru
