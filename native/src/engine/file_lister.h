// Answers ListFiles for one transfer. Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/events.h"
#include "engine/file_listing.h"

namespace thru {

/// States are copied immediately, one byte per entry; the disk pool processes the copy. One page at
/// a time, so each transfer has at most one copy.
class FileLister {
public:
    explicit FileLister(EngineContext &context)
        : context_(context), strand_(context.disk.make_strand()) {}

    /// Answers when nothing is offered yet, or no longer.
    void refuse(const ListFiles &asked, Error error) {
        context_.events.push(FilesEvent{.session = asked.session,
                                        .peer = asked.peer,
                                        .request = asked.request,
                                        .error = std::move(error)});
    }
    /// `states` makes the copy; `bytes_of` is called for each file and must outlive this object.
    void list(const ListFiles &asked, std::shared_ptr<const ManifestTable> manifest,
              const std::function<FileStates()> &states,
              std::function<std::uint64_t(std::uint64_t index)> bytes_of) {
        if (std::exchange(busy_, true)) {
            refuse(asked, Error{ErrorCode::EngineBusy, 0, "the page before is not ready yet"});
            return;
        }
        context_.disk.fetch(
            strand_, lifetime_, {},
            [asked, manifest = std::move(manifest), states = states(), order = order_]() mutable {
                return list_files(*manifest, std::move(states), asked, *order);
            },
            [this, asked, bytes_of = std::move(bytes_of)](FilePage page) {
                busy_ = false;
                for (ListedFile &file : page.files) {
                    file.bytes = bytes_of(file.index);
                }
                context_.events.push(FilesEvent{.session = asked.session,
                                                .peer = asked.peer,
                                                .request = asked.request,
                                                .page = std::move(page)});
            });
    }

private:
    EngineContext &context_;
    std::shared_ptr<DiskPool::Strand> strand_;
    /// Used only by jobs of the strand.
    std::shared_ptr<FileOrder> order_ = std::make_shared<FileOrder>();
    bool busy_ = false;
    Lifetime lifetime_;
};

} // namespace thru
