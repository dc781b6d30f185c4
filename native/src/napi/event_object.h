// Builds the objects that JavaScript gets as events. JavaScript's thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <napi.h>

#include "base/error.h"
#include "engine/events.h"
#include "napi/event_names.h"
#include "napi/name_text.h"

namespace thru {

class EventObject {
public:
    /// An object with the event's session, and with its peer if it is about one.
    template <class Kind>
    EventObject(Napi::Env env, const char *type, const Kind &event)
        : env_(env), object_(Napi::Object::New(env)) {
        object_.Set("type", type);
        object_.Set("session", event.session);
        if constexpr (requires { event.peer; }) {
            object_.Set("peer", event.peer);
        }
    }

    EventObject &text(const char *name, const std::string &value) {
        object_.Set(name, value);
        return *this;
    }
    EventObject &path(const char *name, const std::string &value) {
        object_.Set(name, name_text(env_, value));
        return *this;
    }
    /// Exact up to 2^53, far above any count or size in a share.
    EventObject &count(const char *name, std::uint64_t value) {
        object_.Set(name, static_cast<double>(value));
        return *this;
    }
    EventObject &flag(const char *name, bool value) {
        object_.Set(name, Napi::Boolean::New(env_, value));
        return *this;
    }
    EventObject &error(const std::optional<Error> &error) {
        if (!error) {
            object_.Set("error", env_.Null());
            return *this;
        }
        auto value = Napi::Object::New(env_);
        value.Set("code", std::string(error_name(error->code)));
        const auto number = error->cause == 0 ? "" : " (" + std::to_string(error->cause) + ")";
        value.Set("detail", error->detail + number);
        object_.Set("error", value);
        return *this;
    }
    EventObject &route(const Route &route) {
        auto value = Napi::Object::New(env_);
        value.Set("kind", route.kind == Route::Kind::Local    ? "local"
                          : route.kind == Route::Kind::Direct ? "direct"
                                                              : "relay");
        value.Set("family", route.ipv6 ? 6 : 4);
        value.Set("transport", route.tcp ? "tcp" : "udp");
        value.Set("remote", route.remote);
        value.Set("relay", route.relay);
        if (route.server_relay) {
            value.Set("serverRelay", true);
        }
        if (const auto *why = reason_name(route.why); why != nullptr) {
            value.Set("why", why);
        }
        auto buffers = Napi::Object::New(env_);
        buffers.Set("receive", static_cast<double>(route.buffers.receive));
        buffers.Set("send", static_cast<double>(route.buffers.send));
        value.Set("buffers", buffers);
        object_.Set("route", value);
        return *this;
    }
    EventObject &value(const char *name, const Napi::Value &value) {
        object_.Set(name, value);
        return *this;
    }
    Napi::Object done() const { return object_; }

private:
    Napi::Env env_;
    Napi::Object object_;
};

} // namespace thru
