// The addon's exports: native/index.d.ts.
#include <algorithm>
#include <array>
#include <utility>

#include <napi.h>

#include "engine/key_text.h"
#include "engine/library.h"
#include "napi/engine_wrap.h"
#include "napi/process_end.h"

namespace thru {

namespace {

/// Longest text that could be a join code.
constexpr std::size_t kMaxCodeText = 64;
/// Longest key, invitation or sealed invitation.
constexpr std::size_t kMaxArgumentBytes = 8 * 1024;

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

Napi::Value contact_key(const Napi::CallbackInfo &info) {
    auto [secret, public_key] = new_contact_key();
    auto key = Napi::Object::New(info.Env());
    key.Set("secret", secret);
    key.Set("publicKey", public_key);
    wipe(secret);
    return key;
}

/// Calls `Make` with as many texts as it takes; `null` when they are invalid.
template <auto Make, std::size_t... Index>
std::optional<std::string> make(const Napi::CallbackInfo &info, std::index_sequence<Index...>) {
    const auto text = [&](std::size_t index) {
        return info[index].IsString() ? info[index].As<Napi::String>().Utf8Value() : std::string{};
    };
    const std::array texts = {text(Index)...};
    const bool bounded = std::ranges::all_of(
        texts, [](const auto &each) { return each.size() <= kMaxArgumentBytes; });
    return bounded ? Make(texts[Index]...) : std::nullopt;
}

template <auto Make, std::size_t Count> Napi::Value from_texts(const Napi::CallbackInfo &info) {
    const auto made = make<Make>(info, std::make_index_sequence<Count>{});
    return made ? Napi::Value(Napi::String::New(info.Env(), *made)) : info.Env().Null();
}

Napi::Value end_within(const Napi::CallbackInfo &info) {
    if (!info[0].IsNumber() || !info[1].IsNumber()) {
        Napi::TypeError::New(info.Env(), "endProcessWithin takes two numbers")
            .ThrowAsJavaScriptException();
        return info.Env().Undefined();
    }
    const std::chrono::milliseconds patience(info[0].As<Napi::Number>().Uint32Value());
    end_process_within(patience, info[1].As<Napi::Number>().Int32Value());
    return info.Env().Undefined();
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
    exports.Set("newContactKey", Napi::Function::New<contact_key>(env, "newContactKey"));
    exports.Set("contactMailbox",
                Napi::Function::New<from_texts<contact_mailbox_text, 2>>(env, "contactMailbox"));
    exports.Set("sealInvitation",
                Napi::Function::New<from_texts<sealed_invitation, 3>>(env, "sealInvitation"));
    exports.Set("openInvitation",
                Napi::Function::New<from_texts<opened_invitation, 3>>(env, "openInvitation"));
    exports.Set("endProcessWithin", Napi::Function::New<end_within>(env, "endProcessWithin"));
    exports.Set("createEngine", Napi::Function::New<create_engine>(env, "createEngine"));
    return exports;
}

} // namespace

NODE_API_MODULE(thruflux, initialize)

} // namespace thru
