// The addon's exports: native/index.d.ts.
#include <napi.h>

#include "crypto/self_test.h"
#include "crypto/versions.h"
#include "napi/engine_wrap.h"
#include "pairing/join_code.h"
#include "path/versions.h"
#include "quic/versions.h"

namespace thru {

namespace {

/// Longest text that could be a join code.
constexpr std::size_t kMaxCodeText = 64;

Napi::Value new_words(const Napi::CallbackInfo &info) {
    return Napi::String::New(info.Env(), random_words());
}

Napi::Value is_join_code(const Napi::CallbackInfo &info) {
    const auto text = info[0].IsString() ? info[0].As<Napi::String>().Utf8Value() : std::string{};
    const bool valid = text.size() <= kMaxCodeText && parse_join_code(text).has_value();
    return Napi::Boolean::New(info.Env(), valid);
}

Napi::Value versions(const Napi::CallbackInfo &info) {
    auto versions = Napi::Object::New(info.Env());
    versions.Set("engine", THRU_VERSION);
    versions.Set("ngtcp2", ngtcp2_library_version());
    versions.Set("nice", nice_version());
    const auto crypto = crypto_versions();
    versions.Set("openssl", crypto.openssl);
    versions.Set("sodium", crypto.sodium);
    versions.Set("blake3", crypto.blake3);
    return versions;
}

Napi::Value self_test(const Napi::CallbackInfo &info) {
    return Napi::String::New(info.Env(), tls_self_test());
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
    exports.Set("newWords", Napi::Function::New<new_words>(env, "newWords"));
    exports.Set("isJoinCode", Napi::Function::New<is_join_code>(env, "isJoinCode"));
    exports.Set("versions", Napi::Function::New<versions>(env, "versions"));
    exports.Set("tlsSelfTest", Napi::Function::New<self_test>(env, "tlsSelfTest"));
    exports.Set("createEngine", Napi::Function::New<create_engine>(env, "createEngine"));
    return exports;
}

} // namespace

NODE_API_MODULE(thruflux, initialize)

} // namespace thru
