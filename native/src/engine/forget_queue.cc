#include "engine/forget_queue.h"

#include <utility>

#include "target/forget_partial.h"

namespace thru {

ForgetQueue::ForgetQueue(EngineContext &context)
    : context_(context), task_(context.scheduler, [this](Timestamp) {
          service();
          return kNever;
      }) {}

void ForgetQueue::add(ForgetPartial command) {
    waiting_.push_back(std::move(command));
    task_.wake();
}

void ForgetQueue::service() {
    std::erase_if(waiting_, [this](const ForgetPartial &command) {
        const bool free = !context_.suspending.contains(command.directory);
        if (free) {
            forget(command);
        }
        return free;
    });
}

void ForgetQueue::forget(const ForgetPartial &command) {
    context_.disk.run(
        context_.disk.make_strand(), lifetime_, {},
        [session = command.session, directory = command.directory] {
            ForgottenEvent outcome{.session = session};
            if (const auto forgotten = forget_partial(directory)) {
                outcome.files = forgotten->files;
                outcome.bytes = forgotten->bytes;
            } else {
                outcome.error = forgotten.error();
            }
            return outcome;
        },
        [this](ForgottenEvent outcome) { context_.events.push(std::move(outcome)); });
}

} // namespace thru
