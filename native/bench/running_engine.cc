#include "running_engine.h"

#include <utility>

namespace thru {

RunningEngine::RunningEngine(std::function<void(const Event &)> on_event)
    : on_event_(std::move(on_event)), engine_([this] {
          const std::lock_guard lock(mutex_);
          waiting_ = true;
          changed_.notify_one();
      }),
      thread_([this] { deliver(); }) {}

RunningEngine::~RunningEngine() { close(); }

void RunningEngine::close() {
    engine_.close();
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void RunningEngine::post(const Command &command) {
    // Posting is faster than execution, so the engine refuses commands while too many wait.
    for (;;) {
        const auto posted = engine_.post(command);
        if (posted || posted.error().code != ErrorCode::EngineBusy) {
            return;
        }
        std::this_thread::yield();
    }
}

void RunningEngine::deliver() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return waiting_ || stopped_; });
        if (stopped_) {
            return;
        }
        waiting_ = false;
        lock.unlock();
        for (const auto &event : engine_.take_events()) {
            on_event_(event);
        }
        lock.lock();
    }
}

} // namespace thru
