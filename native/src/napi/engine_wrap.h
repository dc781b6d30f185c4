// An Engine as a JavaScript object. Without `close`, the environment's clean-up hook closes it.
#pragma once

#include <memory>

#include <napi.h>

namespace thru {

class EngineWrap final : public Napi::ObjectWrap<EngineWrap> {
public:
    /// The class. It is not exported: `createEngine` makes instances.
    static Napi::Function define(Napi::Env env);

    explicit EngineWrap(const Napi::CallbackInfo &info);
    ~EngineWrap() override;

private:
    struct Shared;

    Napi::Value post(const Napi::CallbackInfo &info);
    Napi::Value close(const Napi::CallbackInfo &info);

    std::shared_ptr<Shared> shared_;
    /// The promise of a close that has begun; empty before.
    Napi::Reference<Napi::Promise> closing_;
};

} // namespace thru
