#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/guarded.h"
#include "fs/file_system.h"

namespace thru {

/// Files saved without all of their extended attributes. Any thread.
class LostAttributes {
public:
    /// Only the first few files are noted, and only one if the file system has no attributes: their
    /// reports must leave room for those of failed files.
    void add(std::uint64_t index, Error error) {
        constexpr unsigned kFew = 20;
        const auto state = state_.lock();
        const bool lacking = fs::lacks_extended_attributes(error.cause);
        if (state->noted < kFew && !(lacking && std::exchange(state->lacking, true))) {
            ++state->noted;
            state->files.insert_or_assign(index, std::move(error));
        }
    }
    /// Returns the files noted since the last call, by entry.
    std::map<std::uint64_t, Error> take() { return std::exchange(state_.lock()->files, {}); }

private:
    struct State {
        std::map<std::uint64_t, Error> files;
        unsigned noted = 0;
        bool lacking = false;
    };
    Guarded<State> state_;
};

} // namespace thru
