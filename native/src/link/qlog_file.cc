#include "link/qlog_file.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "fs/file_system.h"

namespace thru {

namespace {

/// This token lets anyone end the connection, so it must not be logged.
constexpr std::string_view kResetToken = "stateless_reset_token";
constexpr std::size_t kResetTokenDigits = 32;

std::string hex_of(ByteView bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += {kDigits[byte >> 4], kDigits[byte & 0x0F]};
    }
    return text;
}

bool is_hex_digit(std::uint8_t byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
}

/// Replaces reset tokens by zeros.
void redact(MutableByteView record) {
    const std::string_view text{reinterpret_cast<const char *>(record.data()), record.size()};
    for (auto key = text.find(kResetToken); key != text.npos;
         key = text.find(kResetToken, key + 1)) {
        const auto digits = std::ranges::search_n(record.subspan(key + kResetToken.size()),
                                                  kResetTokenDigits, true, {}, is_hex_digit);
        std::ranges::fill(digits, std::uint8_t{'0'});
    }
}

/// Opens the folder, not through a link, and makes it if it is missing.
fs::SystemResult<fs::FileHandle> open_log_folder(const std::string &path) {
    if (auto made = fs::make_folders(path); !made) {
        return std::unexpected(made.error());
    }
    const auto name = fs::last_name(path);
    if (name.empty() || !path.ends_with(name)) {
        return fs::open_folder(path);
    }
    const auto parent = fs::open_folder(path.substr(0, path.size() - name.size()));
    return parent ? fs::open_folder_beneath(*parent, name) : std::unexpected(parent.error());
}

} // namespace

/// Used by the strand's jobs, one at a time.
struct QlogFile::Target {
    std::string directory;
    std::string name;
    fs::FileHandle file;
    std::uint64_t bytes = 0;
    bool failed = false;

    /// Returns the number of bytes written.
    Result<std::size_t> append(ByteView block) {
        // After a failure nothing may follow: a gap would look like silence.
        if (failed) {
            return 0;
        }
        auto written = write(block);
        if (!written) {
            failed = true;
            return std::unexpected(
                fs::writing_error(written.error(), "the connection's log " + name));
        }
        return block.size();
    }

    fs::SystemResult<> write(ByteView block) {
        if (!file.is_open()) {
            const auto folder = open_log_folder(directory);
            if (!folder) {
                return std::unexpected(folder.error());
            }
            auto created = fs::create_file(*folder, name, fs::kPrivateMode);
            if (!created) {
                return std::unexpected(created.error());
            }
            file = std::move(*created);
        }
        if (auto written = fs::write_at(file, bytes, block); !written) {
            // Truncate the file to the last complete record.
            static_cast<void>(fs::set_size(file, bytes));
            return written;
        }
        bytes += block.size();
        return {};
    }
};

QlogFile::QlogFile(DiskPool &disk, std::string directory, Limits limits)
    : disk_(disk), limits_(limits), target_(std::make_shared<Target>()),
      strand_(disk.make_strand()) {
    target_->directory = std::move(directory);
}

QlogFile::~QlogFile() { flush(); }

void QlogFile::begin(ByteView original_id, bool server) {
    // A server may begin several times until a datagram is valid; nothing was written before.
    gathered_.clear();
    target_->name = hex_of(original_id) + (server ? "_server.sqlog" : "_client.sqlog");
}

void QlogFile::write(ByteView record) {
    if (status_.error) {
        ++status_.dropped;
        return;
    }
    if (status_.bytes + writing_ + gathered_.size() + record.size() > limits_.file_bytes) {
        flush();
        ++status_.dropped;
        status_.error = Error{ErrorCode::LimitExceeded, 0, "the connection's log is full"};
        return;
    }
    if (writing_ + gathered_.size() + record.size() > limits_.waiting_bytes) {
        ++status_.dropped;
        return;
    }
    const auto begin = gathered_.size();
    if (begin == 0) {
        gathered_.reserve(limits_.block_bytes + record.size());
    }
    gathered_.insert(gathered_.end(), record.begin(), record.end());
    redact(MutableByteView{gathered_}.subspan(begin));
    if (gathered_.size() >= limits_.block_bytes) {
        flush();
    }
}

void QlogFile::flush() {
    if (gathered_.empty()) {
        return;
    }
    writing_ += gathered_.size();
    // No particular disk, and a lane that other jobs don't wait for.
    disk_.run(
        strand_, lifetime_, {.lane = DiskLane::Commit},
        [target = target_, block = std::exchange(gathered_, {})] {
            return std::pair(target->append(block), block.size());
        },
        [this](const std::pair<Result<std::size_t>, std::size_t> &done) {
            const auto &[written, bytes] = done;
            writing_ -= bytes;
            if (written) {
                status_.bytes += *written;
            } else {
                status_.error = written.error();
            }
        });
}

std::shared_ptr<QlogFile> QlogFolder::next_file(DiskPool &disk) {
    if (directory_.empty() || files_ == kMaxFiles) {
        return nullptr;
    }
    ++files_;
    return std::make_shared<QlogFile>(disk, directory_);
}

} // namespace thru
