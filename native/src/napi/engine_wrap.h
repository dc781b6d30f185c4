// An Engine as a JavaScript object. Closing is an awaited call; the environment's clean-up hook is
// the net for programs that end without it.
#pragma once

#include <memory>

#include <napi.h>

namespace thru {

class EngineWrap final : public Napi::ObjectWrap<EngineWrap> {
public:
    /// The class, not exported by name: `createEngine` is the way to one.
    static Napi::Function define(Napi::Env env);

    explicit EngineWrap(const Napi::CallbackInfo &info);
    ~EngineWrap() override;

private:
    struct Shared;

    Napi::Value post(const Napi::CallbackInfo &info);
    Napi::Value close(const Napi::CallbackInfo &info);

    std::shared_ptr<Shared> shared_;
    /// The promise of a close under way or done; empty before.
    Napi::Reference<Napi::Promise> closing_;
};

} // namespace thru
