#include "path/datagram_stream.h"

#include <array>
#include <span>
#include <utility>

#include "crypto/random.h"
#include "path/demux.h"

namespace thru {

namespace {

constexpr std::size_t kStreamReadBytes = 128 * 1024;
/// Reads before the loop turns to other work.
constexpr int kStreamReadsPerTurn = 8;
/// The same limit for datagrams, which may be tiny.
constexpr int kMaxFramesPerTurn = 1024;
/// Time to connect and to be checked, in milliseconds: a few round trips, one of them lost.
constexpr guint kCheckTime = 5000;
/// Minimum size of a QUIC datagram: flags, a packet number and the sample for header protection
/// (RFC 9001 section 5.4.2), without a connection ID. Shorter ones can't be decrypted.
constexpr std::size_t kMinDatagramBytes = 21;
/// Maximum number of datagrams sent in one call without copying; bursts of small ones have 44.
constexpr std::size_t kMaxGathered = 48;

} // namespace

DatagramStream::DatagramStream(EventLoop &loop, Owner &owner, std::unique_ptr<TcpSocket> socket,
                               bool called, const CheckCredentials &credentials)
    : loop_(loop), owner_(owner), socket_(std::move(socket)), called_(called),
      credentials_(credentials), stage_(called ? Stage::Connecting : Stage::Checking) {
    frames_.set_max_bytes(kMaxCheckBytes);
    loop_.watch(socket_->descriptor(), [this] { ready(); });
    loop_.want_write(socket_->descriptor(), called);
    deadline_.start(loop_, kCheckTime, [this] { end(); });
}

DatagramStream::~DatagramStream() {
    stage_ = Stage::Over;
    end();
}

void DatagramStream::end() {
    deadline_.stop();
    if (socket_) {
        loop_.unwatch(socket_->descriptor());
        socket_.reset();
    }
    if (std::exchange(stage_, Stage::Over) != Stage::Over) {
        owner_.on_over(*this);
    }
}

void DatagramStream::ready() {
    if (stage_ == Stage::Connecting) {
        on_connected();
    }
    if (stage_ == Stage::Checking || stage_ == Stage::Checked) {
        flush();
        read();
    }
    if (stage_ == Stage::Checked && was_full_ && out_.empty()) {
        was_full_ = false;
        owner_.on_writable(*this);
    }
}

void DatagramStream::on_connected() {
    const auto progress = socket_->progress();
    if (progress == TcpSocket::Progress::Failed) {
        end();
    } else if (progress == TcpSocket::Progress::Connected) {
        stage_ = Stage::Checking;
        random_bytes(transaction_);
        const auto request = stun_check(credentials_, transaction_);
        write_frames(request, request.size());
    }
}

void DatagramStream::read() {
    buffer_.resize(checked() ? kStreamReadBytes : kFrameLengthBytes + kMaxCheckBytes);
    int frames = 0;
    for (int turn = 0; turn < kStreamReadsPerTurn && frames < kMaxFramesPerTurn && !over();
         ++turn) {
        const auto got = socket_->read(buffer_);
        if (!got) {
            end();
            return;
        }
        if (*got == 0) {
            return;
        }
        const auto understood =
            frames_.receive(ByteView{buffer_}.first(*got), [this, &frames](ByteView frame) {
                ++frames;
                receive(frame);
                return !over();
            });
        if (!understood) {
            end();
            return;
        }
    }
}

void DatagramStream::receive(ByteView frame) {
    if (checked()) {
        if (is_quic(frame) && frame.size() >= kMinDatagramBytes) {
            owner_.on_datagram(*this, frame);
        }
    } else {
        check(frame);
    }
}

void DatagramStream::check(ByteView frame) {
    if (called_) {
        if (answers_stun_check(frame, credentials_, transaction_)) {
            become_checked();
        } else {
            end();
        }
        return;
    }
    const auto answer = answer_stun_check(frame, credentials_);
    if (!answer || !owner_.is_new(answer->transaction)) {
        end();
        return;
    }
    write_frames(answer->message, answer->message.size());
    become_checked();
}

void DatagramStream::become_checked() {
    deadline_.stop();
    frames_.set_max_bytes(kMaxLengthFrameBytes);
    remote_ = socket_->remote();
    local_ = socket_->local();
    stage_ = Stage::Checked;
    owner_.on_checked(*this);
}

void DatagramStream::write_frames(ByteView bytes, std::size_t segment) {
    append_length_frames(out_.end(), bytes, segment);
    flush();
}

/// Only when nothing waits. Bytes that the system accepts, usually all, are not copied.
void DatagramStream::write_burst(ByteView bytes, std::size_t segment) {
    const auto frames = (bytes.size() + segment - 1) / segment;
    std::size_t taken = 0;
    if (frames <= kMaxGathered) {
        const auto last = bytes.size() - (frames - 1) * segment;
        const auto length = length_of_frame(segment);
        const auto last_length = length_of_frame(last);
        std::array<ByteView, 2 * kMaxGathered> parts;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const bool is_last = frame + 1 == frames;
            parts.at(2 * frame) = is_last ? last_length : length;
            parts.at(2 * frame + 1) = bytes.subspan(frame * segment, is_last ? last : segment);
        }
        // A broken connection is noticed when it is read.
        taken = socket_->write(std::span{parts}.first(2 * frames)).value_or(0);
    }
    if (taken < bytes.size() + frames * kFrameLengthBytes) {
        append_length_frames(out_.end(), bytes, segment);
        out_.skip(taken);
        flush();
    }
}

void DatagramStream::flush() {
    out_.write_to(*socket_);
    loop_.want_write(socket_->descriptor(), !out_.empty());
}

std::optional<TcpFigures> DatagramStream::figures() const {
    return socket_ ? tcp_figures(socket_->descriptor()) : std::nullopt;
}

DatagramPath::Sent DatagramStream::send(ByteView bytes, std::size_t segment) {
    if (over()) {
        // Dropped, as on a dead path.
        return {.bytes = bytes.size()};
    }
    if (!out_.empty()) {
        was_full_ = true;
        return {};
    }
    write_burst(bytes, segment);
    was_full_ = !out_.empty();
    return {.bytes = bytes.size()};
}

} // namespace thru
