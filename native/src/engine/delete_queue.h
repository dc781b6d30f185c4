// Deletes the partial files of unfinished receives once their folders are free.
#pragma once

#include <vector>

#include "base/lifetime.h"
#include "engine/commands.h"
#include "engine/context.h"

namespace thru {

/// Network thread only; the context outlives it.
class DeleteQueue {
public:
    explicit DeleteQueue(EngineContext &context);

    /// Replies with a PartialDeletedEvent.
    void add(DeletePartial command);
    /// Starts deleting in every folder that no ending receive uses.
    void service();

private:
    void start(const DeletePartial &command);

    EngineContext &context_;
    std::vector<DeletePartial> waiting_;
    Scheduler::Task task_;
    Lifetime lifetime_;
};

} // namespace thru
