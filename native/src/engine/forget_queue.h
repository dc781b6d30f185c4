// Deleting what unfinished receives left behind, each when its folder is free.
#pragma once

#include <utility>
#include <vector>

#include "base/lifetime.h"
#include "engine/commands.h"
#include "engine/context.h"

namespace thru {

/// Network thread only; the context outlives it.
class ForgetQueue {
public:
    explicit ForgetQueue(EngineContext &context) : context_(context) {}

    /// Answered by a ForgottenEvent.
    void add(ForgetPartial command) { waiting_.push_back(std::move(command)); }
    /// Starts on every folder that no ending receive uses. Once in each turn of the loop.
    void service();

private:
    void forget(const ForgetPartial &command);

    EngineContext &context_;
    std::vector<ForgetPartial> waiting_;
    Lifetime lifetime_;
};

} // namespace thru
