#include "napi/engine_wrap.h"

#include <atomic>
#include <functional>
#include <system_error>
#include <utility>

#include "engine/engine.h"
#include "napi/convert.h"

namespace thru {

/// The part that outlives the JavaScript object: the engine and its path to JavaScript.
struct EngineWrap::Shared {
    std::unique_ptr<Engine> engine;
    Napi::ThreadSafeFunction events;
    /// A call to JavaScript is queued; it will take all events waiting by then.
    std::atomic<bool> scheduled{false};
    /// Keeps this alive without the JavaScript object, until closed or the environment ends.
    std::shared_ptr<Shared> itself;

    /// Network thread.
    void on_events_waiting() {
        if (!scheduled.exchange(true)) {
            events.NonBlockingCall(this, [](Napi::Env env, Napi::Function callback, Shared *self) {
                self->deliver(env, callback);
            });
        }
    }

    /// JavaScript thread.
    void deliver(Napi::Env env, const Napi::Function &callback) {
        scheduled = false;
        const auto waiting = engine->take_events();
        if (waiting.empty()) {
            return;
        }
        auto list = Napi::Array::New(env, waiting.size());
        std::uint32_t index = 0;
        for (const auto &event : waiting) {
            list.Set(index++, event_to_js(env, event));
        }
        // A worker being terminated runs no JavaScript: the values above are empty then.
        if (!env.IsExceptionPending()) {
            callback.Call({list});
        }
    }

    static void on_environment_end(void *argument) {
        auto *self = static_cast<Shared *>(argument);
        self->engine->close();
        self->itself.reset();
    }

    /// JavaScript thread, after the engine's threads are joined: nothing calls `events` afterwards.
    void release(Napi::Env env) {
        napi_remove_env_cleanup_hook(env, &Shared::on_environment_end, this);
        events.Release();
        itself.reset();
    }
};

namespace {

/// Joins the threads on libuv's pool, so that JavaScript can run meanwhile.
class CloseWorker final : public Napi::AsyncWorker {
public:
    CloseWorker(Napi::Env env, std::function<void()> stop, std::function<void()> stopped)
        : AsyncWorker(env, "thruflux close"), deferred_(Napi::Promise::Deferred::New(env)),
          stop_(std::move(stop)), stopped_(std::move(stopped)) {}

    Napi::Promise promise() const { return deferred_.Promise(); }

    void Execute() override { stop_(); }
    void OnOK() override {
        stopped_();
        deferred_.Resolve(Env().Undefined());
    }

private:
    Napi::Promise::Deferred deferred_;
    std::function<void()> stop_;
    std::function<void()> stopped_;
};

} // namespace

Napi::Function EngineWrap::define(Napi::Env env) {
    return DefineClass(
        env, "Engine",
        {InstanceMethod<&EngineWrap::post>("post"), InstanceMethod<&EngineWrap::close>("close")});
}

EngineWrap::EngineWrap(const Napi::CallbackInfo &info)
    : ObjectWrap(info), shared_(std::make_shared<Shared>()) {
    const auto env = info.Env();
    if (info.Length() < 1 || !info[0].IsFunction()) {
        Napi::TypeError::New(env, "createEngine takes a function for events")
            .ThrowAsJavaScriptException();
        return;
    }
    // At most one call is outstanding: see `scheduled`.
    shared_->events =
        Napi::ThreadSafeFunction::New(env, info[0].As<Napi::Function>(), "thruflux events", 1, 1);
    auto *raw = shared_.get();
    try {
        shared_->engine = std::make_unique<Engine>([raw] { raw->on_events_waiting(); });
    } catch (const std::system_error &) {
        shared_->events.Release();
        Napi::Error::New(env, "the system has no thread left").ThrowAsJavaScriptException();
        return;
    }
    // Hooks run in reverse order: this joins the threads before the thread-safe function ends.
    napi_add_env_cleanup_hook(env, &Shared::on_environment_end, raw);
    raw->itself = shared_;
}

EngineWrap::~EngineWrap() = default;

Napi::Value EngineWrap::post(const Napi::CallbackInfo &info) {
    const auto env = info.Env();
    auto command = command_from_js(env, info[0]);
    if (!command) {
        return env.Undefined();
    }
    auto posted = shared_->engine->post(std::move(*command));
    if (posted) {
        return env.Null();
    }
    return Napi::String::New(env, std::string(error_name(posted.error().code)));
}

Napi::Value EngineWrap::close(const Napi::CallbackInfo &info) {
    const auto env = info.Env();
    if (!closing_.IsEmpty()) {
        return closing_.Value();
    }
    auto *worker = new CloseWorker(
        env, [shared = shared_] { shared->engine->close(); },
        // Events that waited when the engine stopped are dropped.
        [shared = shared_, env] { shared->release(env); });
    closing_ = Napi::Reference<Napi::Promise>::New(worker->promise(), 1);
    worker->Queue();
    return closing_.Value();
}

} // namespace thru
