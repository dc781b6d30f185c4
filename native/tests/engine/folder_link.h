// A share at one end of a simulated link, and a folder at the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "engine/folder_end.h"
#include "sim/transfer_ends.h"
#include "sim/virtual_link.h"

namespace thru::test {

class FolderLink {
protected:
    /// Entries of `unreadable` fail when their segment is read.
    void begin(std::shared_ptr<ManifestTable> manifest, const std::filesystem::path &target,
               const ReceiveOptions &options = {}, std::set<std::uint64_t> unreadable = {}) {
        unreadable_ = std::move(unreadable);
        begin(std::move(manifest), std::make_unique<FolderEnd>(target, options));
    }
    void begin(std::shared_ptr<ManifestTable> manifest, std::unique_ptr<FolderEnd> receiving) {
        manifest_ = std::move(manifest);
        receiving_ = std::move(receiving);
        connect();
    }
    /// Makes a new connection to the same folder.
    void connect() {
        sending_ = std::make_unique<sim::SendingEnd>(manifest_, unreadable_);
        pair_ = std::make_unique<sim::Pair>(link_, *sending_, *receiving_);
        sending_->attach(pair_->sender());
        receiving_->attach(pair_->receiver());
    }
    /// True if `done` holds, or the transfer failed, within `seconds` of virtual time.
    template <class Condition> bool run_until(Condition done, double seconds = 60) {
        return pair_->run_until(
            [&] {
                sending_->pump();
                receiving_->pump(pair_->now());
                return done() || receiving_->failure().has_value();
            },
            seconds);
    }

    sim::LinkConfig link_;
    std::shared_ptr<ManifestTable> manifest_;
    std::set<std::uint64_t> unreadable_;
    std::unique_ptr<sim::SendingEnd> sending_;
    std::unique_ptr<FolderEnd> receiving_;
    std::unique_ptr<sim::Pair> pair_;
};

} // namespace thru::test
