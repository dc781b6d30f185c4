#include "engine/forget_queue.h"

#include <memory>

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
    auto outcome = std::make_shared<ForgottenEvent>();
    outcome->session = command.session;
    context_.disk.post(
        context_.disk.make_strand(),
        {.work =
             [outcome, directory = command.directory] {
                 const auto forgotten = forget_partial(directory);
                 if (forgotten) {
                     outcome->files = forgotten->files;
                     outcome->bytes = forgotten->bytes;
                 } else {
                     outcome->error = forgotten.error();
                 }
             },
         .completion = [&events = context_.events, outcome] { events.push(std::move(*outcome)); }});
}

} // namespace thru
