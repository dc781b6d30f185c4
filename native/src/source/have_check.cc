#include "source/have_check.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;

} // namespace

HaveCheck::HaveCheck(std::shared_ptr<const SourceFiles> files, const Have &have)
    : files_(std::move(files)), have_(have), next_(have.hash_begin) {}

bool HaveCheck::plausible() const {
    if (have_.hash_begin > have_.offset ||
        have_.offset > files_->manifest().file_size(have_.index)) {
        return false;
    }
    const bool said = have_.validator != WireId{};
    return said ? have_.validator == files_->validator(have_.index)
                : have_.hash_begin != have_.offset;
}

std::optional<bool> HaveCheck::step() {
    if (next_ == have_.hash_begin && !plausible()) {
        return false;
    }
    if (const std::string *content = files_->text(have_.index)) {
        hash_.update(as_bytes(*content).subspan(static_cast<std::size_t>(next_),
                                                static_cast<std::size_t>(have_.offset - next_)));
        return digests_equal(hash_.finish(), have_.hash);
    }
    if (!file_.handle.is_open()) {
        auto opened = files_->open(have_.index);
        if (!opened) {
            return false;
        }
        file_ = std::move(*opened);
    }
    if (!settled_) {
        // It may have been touched: then its validator may be another one.
        const auto settled = files_->settle(have_.index, file_.version, file_.handle);
        if (settled && !*settled) {
            return std::nullopt;
        }
        if (!settled || !plausible()) {
            return false;
        }
        settled_ = true;
    }
    if (!read_to(std::min(have_.offset, next_ + kStepBytes))) {
        return false;
    }
    if (next_ < have_.offset) {
        return std::nullopt;
    }
    return files_->check(have_.index, file_.handle) && digests_equal(hash_.finish(), have_.hash);
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
