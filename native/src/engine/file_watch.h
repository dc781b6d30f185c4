// Reports finished files of a transfer, for line-by-line output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/lifetime.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "engine/file_changes.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Checks a few times a second, and once more at the end. Network thread only.
class FileWatch {
public:
    FileWatch(EngineContext &context, SessionNumber session, std::string peer)
        : context_(context), session_(session), peer_(std::move(peer)),
          strand_(context.disk.make_strand()) {}

    Timestamp deadline() const { return next_; }
    /// Checks `transfer` when due, on the disk pool: a million files take a few milliseconds.
    template <class Transfer>
    void look(const Transfer &transfer, const std::shared_ptr<const ManifestTable> &manifest,
              Timestamp now) {
        if (next_ <= now) {
            next_ = now + kInterval;
            compare(manifest, transfer.file_states());
        }
    }
    /// Checks immediately when the transfer ends, so that the report precedes later events.
    template <class Transfer>
    void look_last(const Transfer &transfer, const std::shared_ptr<const ManifestTable> &manifest) {
        next_ = kNever;
        report(changes_of(*manifest, transfer.file_states(), *known_->lock()));
    }

private:
    static constexpr Timestamp kInterval = 250 * kMillisecond;

    void compare(std::shared_ptr<const ManifestTable> manifest, FileStates states);
    void report(FileChanges changes);

    EngineContext &context_;
    const SessionNumber session_;
    const std::string peer_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::shared_ptr<Guarded<std::vector<FileState>>> known_ =
        std::make_shared<Guarded<std::vector<FileState>>>();
    std::uint64_t active_files_ = 0;
    std::vector<std::string> active_;
    Timestamp next_ = 0;
    bool busy_ = false;
    Lifetime lifetime_;
};

} // namespace thru
