#include "source/have_check.h"

#include <algorithm>
#include <utility>

#include "fs/file_hash.h"

namespace thru {

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
/// Data in a receiver's hole counts as different in blocks of this size.
constexpr std::uint64_t kZeroBlockBytes = 64 * 1024;
/// A step may compare this many times its bytes if they are holes.
constexpr std::uint64_t kHolesInAStep = 64;

} // namespace

HaveCheck::HaveCheck(std::shared_ptr<const SourceFiles> files, const Have &have)
    : files_(std::move(files)), have_(have), next_(have.hash_begin) {}

bool HaveCheck::is_same_version() const {
    return !changed_ && have_.validator != WireId{} &&
           have_.validator == files_->validator(have_.index);
}

bool HaveCheck::is_text_the_same(const std::string &content) {
    if (!is_same_version() && have_.hash_begin > 0) {
        return false;
    }
    hash_.update(as_bytes(content).subspan(static_cast<std::size_t>(have_.hash_begin),
                                           static_cast<std::size_t>(have_.offset - next_)));
    return have_.offset > 0 && digests_equal(hash_.finish(), have_.hash);
}

std::optional<HaveCheck::Answer> HaveCheck::step() {
    if (have_.hash_begin > have_.offset ||
        have_.offset > files_->manifest().file_size(have_.index)) {
        return Answer{};
    }
    if (const std::string *content = files_->text(have_.index)) {
        return Answer{.same = is_text_the_same(*content)};
    }
    if (!file_.handle.is_open()) {
        auto opened = files_->open(have_.index);
        if (!opened) {
            return Answer{};
        }
        file_ = std::move(*opened);
    }
    if (!settled_) {
        // The file may have been touched, which may change its validator.
        const auto settled = files_->settle(have_.index, file_.version, file_.handle);
        if (settled && !*settled) {
            return std::nullopt;
        }
        settled_ = true;
        changed_ = !settled;
    }
    if (comparing_) {
        return compare_some();
    }
    const bool is_all = have_.hash_begin == 0 && have_.offset > 0;
    if (!is_all && !is_same_version()) {
        comparing_ = have_.offset > 0;
        return compare();
    }
    if (!read_to(std::min(have_.offset, next_ + kStepBytes))) {
        return Answer{};
    }
    if (next_ < have_.offset) {
        return std::nullopt;
    }
    if (digests_equal(hash_.finish(), have_.hash)) {
        files_->read_log().trust(have_.index);
        return Answer{.same = files_->check(have_.index, file_.handle).has_value()};
    }
    // Hashes of bytes from another sender prove nothing.
    comparing_ = have_.validator != WireId{};
    return compare();
}

HaveCheck::Answer HaveCheck::compare() const {
    return comparing_ ? Answer{.wants_extents = compared_} : Answer{};
}

void HaveCheck::take(Extents extents) {
    different_.take(extents);
    if (extents.runs.empty()) {
        add_different(have_.offset - compared_);
    }
    runs_.assign(extents.runs.begin(), extents.runs.end());
}

std::optional<HaveCheck::Answer> HaveCheck::compare_some() {
    for (std::uint64_t read = 0; !runs_.empty();) {
        if (read >= kStepBytes) {
            return std::nullopt;
        }
        if (auto part = different_.take_part()) {
            return Answer{.is_part = true, .different = std::move(*part)};
        }
        Extents::Run &left = runs_.front();
        if (left.hash == ShortHash{}) {
            read += compare_zeros(left);
        } else {
            is_the_same(left) ? add_same(left.length) : add_different(left.length);
            read += std::exchange(left.length, 0);
        }
        if (left.length == 0) {
            runs_.pop_front();
        }
    }
    if (compared_ < have_.offset) {
        return compare();
    }
    const bool same = same_bytes_ > 0 && files_->check(have_.index, file_.handle);
    return Answer{.same = same, .different = different_.take_rest()};
}

bool HaveCheck::is_the_same(const Extents::Run &run) const {
    const std::uint64_t end = compared_ + run.length;
    const Piece range{.index = have_.index, .offset = compared_, .length = run.length};
    Blake3 hasher;
    return hash_range(file_.handle, compared_, end, {&hasher}) &&
           shortened(hasher.finish()) == run.hash &&
           files_->read_log().add(range, file_.version, run.hash);
}

std::uint64_t HaveCheck::compare_zeros(Extents::Run &left) {
    const std::uint64_t begin = compared_;
    const std::uint64_t length = std::min(left.length, kStepBytes);
    std::uint64_t read = 0;
    const auto data = find_nonzero(file_.handle, begin, begin + length, read);
    if (!data) {
        add_different(length);
    } else if (*data == begin + length) {
        add_zeros(length);
    } else {
        const std::uint64_t zeros = (*data - begin) / kZeroBlockBytes * kZeroBlockBytes;
        add_zeros(zeros);
        add_different(std::min(length - zeros, kZeroBlockBytes));
    }
    left.length -= compared_ - begin;
    // Holes can be large but cost little.
    return std::max(read, kZeroBlockBytes) + (compared_ - begin) / kHolesInAStep;
}

void HaveCheck::add_zeros(std::uint64_t length) {
    if (length > 0) {
        files_->read_log().add_hole({.index = have_.index, .offset = compared_, .length = length},
                                    file_.version);
        add_same(length);
    }
}

void HaveCheck::add_same(std::uint64_t length) {
    same_bytes_ += length;
    compared_ += length;
}

void HaveCheck::add_different(std::uint64_t length) {
    different_.add(compared_, length);
    compared_ += length;
}

bool HaveCheck::read_to(std::uint64_t end) {
    Bytes chunk(static_cast<std::size_t>(std::min<std::uint64_t>(kReadBytes, end - next_)));
    while (next_ < end) {
        const auto take =
            static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), end - next_));
        const auto got = fs::read_at(file_.handle, next_, MutableByteView(chunk).first(take));
        if (!got || *got < take) {
            return false;
        }
        hash_.update(ByteView(chunk).first(take));
        next_ += take;
    }
    return true;
}

} // namespace thru
