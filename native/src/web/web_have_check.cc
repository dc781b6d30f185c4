#include "web/web_have_check.h"

#include <algorithm>
#include <utility>

namespace thru {

WebHaveCheck::WebHaveCheck(const Have &have, const WireId &current)
    : have_(have), same_version_(have.validator == current), read_(have.hash_begin) {
    const bool possible = have.offset > 0 && have.hash_begin <= have.offset;
    if (!possible) {
        proven_ = false;
    } else if (have.hash_begin > 0 && !same_version_) {
        comparing_ = true;
        read_ = 0;
    }
}

WebHaveCheck::Step WebHaveCheck::next() {
    if (proven_) {
        return {.answer = Answer{.same = *proven_, .different = different_.take_rest()}};
    }
    if (auto part = different_.take_part()) {
        return {.part = std::move(part)};
    }
    if (comparing_ && runs_.empty()) {
        return {.wants_extents = compared_};
    }
    const auto end = comparing_ ? compared_ + runs_.front().length : have_.offset;
    return {.read = {.offset = read_, .length = std::min(kWebReadBytes, end - read_)}};
}

void WebHaveCheck::take_bytes(ByteView bytes) {
    hash_.update(bytes);
    read_ += bytes.size();
    if (comparing_) {
        zeros_ = zeros_ && std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
        if (read_ == compared_ + runs_.front().length) {
            end_run();
        }
        return;
    }
    if (read_ < have_.offset) {
        return;
    }
    if (digests_equal(std::exchange(hash_, {}).finish(), have_.hash)) {
        proven_ = true;
    } else if (have_.validator != WireId{}) {
        comparing_ = true;
        read_ = 0;
    } else {
        // Hashes of bytes from another sender prove nothing.
        proven_ = false;
    }
}

void WebHaveCheck::end_run() {
    const auto run = runs_.front();
    runs_.pop_front();
    const auto hash = shortened(std::exchange(hash_, {}).finish());
    const bool zeros = std::exchange(zeros_, true);
    const bool same = run.hash == ShortHash{} ? zeros : run.hash == hash;
    if (same) {
        same_bytes_ += run.length;
        compared_ = read_;
    } else {
        add_different(read_);
    }
    if (compared_ == have_.offset) {
        proven_ = same_bytes_ > 0;
    }
}

void WebHaveCheck::take_extents(const Extents &extents) {
    different_.take(extents);
    runs_.assign(extents.runs.begin(), extents.runs.end());
    std::erase_if(runs_, [](const Extents::Run &run) { return run.length == 0; });
    if (runs_.empty()) {
        add_different(have_.offset);
        proven_ = same_bytes_ > 0;
    }
}

void WebHaveCheck::add_different(std::uint64_t end) {
    different_.add(compared_, end - compared_);
    compared_ = end;
}

} // namespace thru
