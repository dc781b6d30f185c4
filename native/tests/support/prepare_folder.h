// All steps of a preparation in one call.
#pragma once

#include "target/receive_folder.h"

namespace thru::test {

inline Result<Prepared> prepare(ReceiveFolder &folder, std::size_t first, std::size_t end,
                                const IndexRanges &unwanted) {
    folder.begin_preparation(first, end, unwanted);
    for (;;) {
        auto prepared = folder.prepare_some();
        if (!prepared) {
            return std::unexpected(std::move(prepared).error());
        }
        if (*prepared) {
            return std::move(**prepared);
        }
    }
}

} // namespace thru::test
