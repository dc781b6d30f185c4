// Tells which files of a transfer are done, for people who watch it line by line.
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

/// Looks a few times a second, and a last time at the end. Network thread only.
class FileWatch {
public:
    FileWatch(EngineContext &context, SessionNumber session, std::string peer)
        : context_(context), session_(session), peer_(std::move(peer)),
          strand_(context.disk.make_strand()) {}

    /// When `look` has something to do.
    Timestamp deadline() const { return next_; }
    /// Looks at `transfer` if it is time, on the disk pool: states of a million files take some
    /// milliseconds.
    template <class Transfer>
    void look(const Transfer &transfer, const std::shared_ptr<const ManifestTable> &manifest,
              Timestamp now) {
        if (next_ <= now) {
            next_ = now + kInterval;
            compare(manifest, transfer.file_states());
        }
    }
    /// Looks at once, so that what follows comes after it: the transfer ends.
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
