// Reads the fields of JavaScript objects. Private to napi/.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <napi.h>

#include "napi/name_text.h"

namespace thru {

/// Maximum length of any text field in bytes: longer than every path and payload.
inline constexpr std::size_t kMaxText = 64 * 1024;

/// Reads the fields of a command. Records the first error; later fields get defaults.
class Fields {
public:
    Fields(Napi::Env env, Napi::Object object) : env_(env), object_(object) {}

    std::string text(const char *name, std::size_t most = kMaxText) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsString()) {
            wrong(name, "must be a string");
            return {};
        }
        return bounded(name, value.As<Napi::String>().Utf8Value(), most);
    }

    /// A name or path, as arbitrary bytes (see name_of()).
    std::string path(const char *name) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsString()) {
            wrong(name, "must be a string");
            return {};
        }
        return bounded(name, name_of(value.As<Napi::String>()), kMaxText);
    }

    std::uint32_t number(const char *name, std::uint32_t least, std::uint32_t most) {
        const Napi::Value value = object_.Get(name);
        const auto number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1.0;
        if (!(number >= least && number <= most) || std::trunc(number) != number) {
            wrong(name, "must be a whole number in range");
            return least;
        }
        return static_cast<std::uint32_t>(number);
    }

    /// An integer of at most 2^53.
    std::uint64_t count(const char *name) {
        constexpr double kMaxExact = 9'007'199'254'740'992.0;
        const Napi::Value value = object_.Get(name);
        const auto number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1.0;
        if (!(number >= 0 && number <= kMaxExact) || std::trunc(number) != number) {
            wrong(name, "must be a whole number in range");
            return 0;
        }
        return static_cast<std::uint64_t>(number);
    }

    bool flag(const char *name) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsBoolean()) {
            wrong(name, "must be a boolean");
            return false;
        }
        return value.As<Napi::Boolean>().Value();
    }

    Fields child(const char *name) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsObject()) {
            wrong(name, "must be an object");
            return {env_, Napi::Object::New(env_)};
        }
        return {env_, value.As<Napi::Object>()};
    }

    bool is_given(const char *name) { return !object_.Get(name).IsUndefined(); }
    bool is_null(const char *name) { return object_.Get(name).IsNull(); }

    Napi::Array list(const char *name, std::uint32_t most) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsArray() || value.As<Napi::Array>().Length() > most) {
            wrong(name, "must be an array within limits");
            return Napi::Array::New(env_);
        }
        return value.As<Napi::Array>();
    }

    /// Adopts a child's error.
    void check(const Fields &child) {
        if (fault_.empty()) {
            fault_ = child.fault_;
        }
    }

    void wrong(std::string_view name, std::string_view why) {
        if (fault_.empty()) {
            fault_ = std::string(name) + " " + std::string(why);
        }
    }
    const std::string &fault() const { return fault_; }
    Napi::Env env() const { return env_; }

private:
    std::string bounded(const char *name, std::string text, std::size_t most) {
        if (text.size() > most) {
            wrong(name, "is too long");
            return {};
        }
        return text;
    }

    Napi::Env env_;
    Napi::Object object_;
    std::string fault_;
};

} // namespace thru
