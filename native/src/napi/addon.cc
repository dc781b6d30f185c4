// The addon's exports: native/index.d.ts.
#include <napi.h>

#include "engine/library.h"
#include "napi/engine_wrap.h"

namespace thru {

namespace {

/// Longest text that could be a join code.
constexpr std::size_t kMaxCodeText = 64;

Napi::Value words(const Napi::CallbackInfo &info) {
    return Napi::String::New(info.Env(), new_words());
}

Napi::Value join_code(const Napi::CallbackInfo &info) {
    const auto text = info[0].IsString() ? info[0].As<Napi::String>().Utf8Value() : std::string{};
    return Napi::Boolean::New(info.Env(), text.size() <= kMaxCodeText && is_join_code(text));
}

Napi::Value versions(const Napi::CallbackInfo &info) {
    auto versions = Napi::Object::New(info.Env());
    versions.Set("engine", THRU_VERSION);
    for (const auto &[name, version] : library_versions()) {
        versions.Set(name, version);
    }
    return versions;
}

Napi::Value self_test(const Napi::CallbackInfo &info) {
    return Napi::String::New(info.Env(), check_tls());
}

/// Per environment: the constructor that `createEngine` calls.
struct AddonData {
    Napi::FunctionReference engine;
};

Napi::Value create_engine(const Napi::CallbackInfo &info) {
    return info.Env().GetInstanceData<AddonData>()->engine.New({info[0]});
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
    auto *data = new AddonData{Napi::Persistent(EngineWrap::define(env))};
    env.SetInstanceData(data);
    exports.Set("newWords", Napi::Function::New<words>(env, "newWords"));
    exports.Set("isJoinCode", Napi::Function::New<join_code>(env, "isJoinCode"));
    exports.Set("versions", Napi::Function::New<versions>(env, "versions"));
    exports.Set("tlsSelfTest", Napi::Function::New<self_test>(env, "tlsSelfTest"));
    exports.Set("createEngine", Napi::Function::New<create_engine>(env, "createEngine"));
    return exports;
}

} // namespace

NODE_API_MODULE(thruflux, initialize)

} // namespace thru
