#include "engine/forget_queue.h"

#include <utility>

#include "target/forget_partial.h"

namespace thru {

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
