// The addon's exports: native/index.d.ts.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <napi.h>

#include "engine/key_encoding.h"
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

Napi::Value contact_key(const Napi::CallbackInfo &info) {
    auto [secret, public_key] = new_contact_key();
    auto key = Napi::Object::New(info.Env());
    key.Set("secret", secret);
    key.Set("publicKey", public_key);
    wipe(secret);
    return key;
}

/// Calls `Make` with its number of texts; nullopt if they are invalid.
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

/// Upper limit of the request: 256 MiB.
constexpr double kMaxBufferBytes = 1 << 28;

Napi::Value buffers(const Napi::CallbackInfo &info) {
    const double wanted = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : 0;
    const bool bounded = wanted >= 0 && wanted <= kMaxBufferBytes;
    const auto [receive, send] = socket_buffers(bounded ? static_cast<int>(wanted) : 0);
    auto granted = Napi::Object::New(info.Env());
    granted.Set("receive", static_cast<double>(receive));
    granted.Set("send", static_cast<double>(send));
    return granted;
}

/// Waits for the answers on a thread of libuv's pool.
class ProbeWorker final : public Napi::AsyncWorker {
public:
    ProbeWorker(Napi::Env env, std::string address, std::uint16_t port,
                std::vector<std::uint16_t> sizes)
        : AsyncWorker(env, "thruflux probe"), deferred_(Napi::Promise::Deferred::New(env)),
          address_(std::move(address)), port_(port), sizes_(std::move(sizes)) {}

    Napi::Promise promise() const { return deferred_.Promise(); }

    void Execute() override { largest_ = probe_path(address_, port_, sizes_); }
    void OnOK() override { deferred_.Resolve(Napi::Number::New(Env(), largest_)); }

private:
    Napi::Promise::Deferred deferred_;
    std::string address_;
    std::uint16_t port_;
    std::vector<std::uint16_t> sizes_;
    std::uint16_t largest_ = 0;
};

/// Ignores elements that are no number or too large for a datagram.
std::vector<std::uint16_t> sizes_of(const Napi::Value &list) {
    std::vector<std::uint16_t> sizes;
    if (list.IsArray()) {
        const auto values = list.As<Napi::Array>();
        for (std::uint32_t index = 0; index < std::min<std::uint32_t>(values.Length(), 16);
             ++index) {
            const Napi::Value value = values[index];
            const auto size = value.IsNumber() ? value.As<Napi::Number>().Uint32Value() : 0;
            if (size <= 1500) {
                sizes.push_back(static_cast<std::uint16_t>(size));
            }
        }
    }
    return sizes;
}

Napi::Value probe(const Napi::CallbackInfo &info) {
    const auto port = info[1].IsNumber() ? info[1].As<Napi::Number>().Uint32Value() : 0;
    if (!info[0].IsString() || port == 0 || port > 0xffff) {
        Napi::TypeError::New(info.Env(), "probePath takes an address, a port and sizes")
            .ThrowAsJavaScriptException();
        return info.Env().Undefined();
    }
    auto *worker = new ProbeWorker(info.Env(), info[0].As<Napi::String>().Utf8Value(),
                                   static_cast<std::uint16_t>(port), sizes_of(info[2]));
    worker->Queue();
    return worker->promise();
}

/// Data of an environment: the constructor that `createEngine` calls.
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
    exports.Set("newContactKey", Napi::Function::New<contact_key>(env, "newContactKey"));
    exports.Set("contactMailbox",
                Napi::Function::New<from_texts<contact_mailbox_text, 2>>(env, "contactMailbox"));
    exports.Set("sealInvitation",
                Napi::Function::New<from_texts<sealed_invitation, 3>>(env, "sealInvitation"));
    exports.Set("openInvitation",
                Napi::Function::New<from_texts<opened_invitation, 3>>(env, "openInvitation"));
    exports.Set("endProcessWithin", Napi::Function::New<end_within>(env, "endProcessWithin"));
    exports.Set("socketBuffers", Napi::Function::New<buffers>(env, "socketBuffers"));
    exports.Set("probePath", Napi::Function::New<probe>(env, "probePath"));
    exports.Set("createEngine", Napi::Function::New<create_engine>(env, "createEngine"));
    return exports;
}

} // namespace

NODE_API_MODULE(thruflux, initialize)

} // namespace thru
