#include "engine/delete_queue.h"

#include <utility>

#include "target/deletion/delete_partial.h"

namespace thru {

DeleteQueue::DeleteQueue(EngineContext &context)
    : context_(context), task_(context.scheduler, [this](Timestamp) {
          service();
          return kNever;
      }) {}

void DeleteQueue::add(DeletePartial command) {
    waiting_.push_back(std::move(command));
    task_.wake();
}

void DeleteQueue::service() {
    std::erase_if(waiting_, [this](const DeletePartial &command) {
        const bool free = !context_.suspending.contains(command.directory);
        if (free) {
            start(command);
        }
        return free;
    });
}

void DeleteQueue::start(const DeletePartial &command) {
    context_.disk.run(
        context_.disk.make_strand(), lifetime_, {},
        [command] {
            PartialDeletedEvent outcome{.session = command.session};
            if (const auto deleted = delete_partial(command.directory, command.kept)) {
                outcome.files = deleted->files;
                outcome.bytes = deleted->bytes;
            } else {
                outcome.error = deleted.error();
            }
            return outcome;
        },
        [this](PartialDeletedEvent outcome) { context_.events.push(std::move(outcome)); });
}

} // namespace thru
