#include "napi/convert.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace thru {

namespace {

/// Longest text of any field, in bytes: above every path and payload.
constexpr std::size_t kMaxText = 64 * 1024;
constexpr std::uint32_t kMaxPaths = 10'000;
constexpr std::uint32_t kMaxServers = 16;
constexpr std::size_t kMaxName = 64;

/// Reads the fields of a command. The first wrong one is remembered; what follows reads defaults.
class Fields {
public:
    Fields(Napi::Env env, Napi::Object object) : env_(env), object_(object) {}

    std::string text(const char *name, std::size_t most = kMaxText) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsString()) {
            wrong(name, "must be a string");
            return {};
        }
        auto text = value.As<Napi::String>().Utf8Value();
        if (text.size() > most) {
            wrong(name, "is too long");
            return {};
        }
        return text;
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

    Napi::Array list(const char *name, std::uint32_t most) {
        const Napi::Value value = object_.Get(name);
        if (!value.IsArray() || value.As<Napi::Array>().Length() > most) {
            wrong(name, "must be an array within limits");
            return Napi::Array::New(env_);
        }
        return value.As<Napi::Array>();
    }

    /// Takes over a child's fault.
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
    Napi::Env env_;
    Napi::Object object_;
    std::string fault_;
};

constexpr auto kMaxPort = std::numeric_limits<std::uint16_t>::max();

SessionNumber session_of(Fields &fields) {
    return fields.number("session", 1, std::numeric_limits<std::int32_t>::max());
}

std::uint16_t port_of(Fields &fields) {
    return static_cast<std::uint16_t>(fields.number("port", 1, kMaxPort));
}

/// Calls `read` with the fields of each element.
template <class Read> void each(Fields &fields, const char *name, Read read) {
    const auto list = fields.list(name, kMaxServers);
    for (std::uint32_t index = 0; index < list.Length(); ++index) {
        const Napi::Value value = list.Get(index);
        if (!value.IsObject()) {
            fields.wrong(name, "must hold objects");
            return;
        }
        Fields element(fields.env(), value.As<Napi::Object>());
        read(element);
        fields.check(element);
    }
}

IceServers ice_of(Fields &fields) {
    auto ice = fields.child("ice");
    IceServers servers;
    each(ice, "stun", [&](Fields &stun) {
        servers.stun.push_back({stun.text("host", 255), port_of(stun)});
    });
    each(ice, "turn", [&](Fields &turn) {
        const auto transport = turn.text("transport");
        if (transport != "udp" && transport != "tcp") {
            turn.wrong("transport", "must be udp or tcp");
        }
        servers.turn.push_back({turn.text("host", 255), port_of(turn), turn.text("user", 512),
                                turn.text("password", 512), transport == "tcp"});
    });
    servers.relay_only = ice.flag("relayOnly");
    fields.check(ice);
    return servers;
}

std::vector<std::string> paths_of(Fields &fields) {
    const auto list = fields.list("paths", kMaxPaths);
    std::vector<std::string> paths;
    for (std::uint32_t index = 0; index < list.Length(); ++index) {
        const Napi::Value value = list.Get(index);
        if (!value.IsString()) {
            fields.wrong("paths", "must hold strings");
            return {};
        }
        paths.push_back(value.As<Napi::String>().Utf8Value());
    }
    return paths;
}

std::optional<Command> read_command(Fields &fields) {
    const auto type = fields.text("type");
    if (type == "open-share") {
        return OpenShare{session_of(fields), paths_of(fields), fields.text("name", kMaxName),
                         ice_of(fields)};
    }
    if (type == "set-code") {
        return SetCode{session_of(fields), fields.text("code")};
    }
    if (type == "add-peer") {
        return AddPeer{session_of(fields), fields.text("peer", kMaxName)};
    }
    if (type == "drop-peer") {
        return DropPeer{session_of(fields), fields.text("peer", kMaxName)};
    }
    if (type == "open-receive") {
        return OpenReceive{session_of(fields), fields.text("code"), fields.text("peer", kMaxName),
                           fields.text("name", kMaxName), ice_of(fields)};
    }
    if (type == "signal") {
        return Signal{session_of(fields), fields.text("peer", kMaxName), fields.text("payload")};
    }
    if (type == "accept") {
        return Accept{session_of(fields), fields.text("directory")};
    }
    if (type == "end-session") {
        return EndSession{session_of(fields)};
    }
    fields.wrong("type", "is unknown");
    return std::nullopt;
}

/// Builds one event object.
class EventObject {
public:
    EventObject(Napi::Env env, const char *type, SessionNumber session)
        : env_(env), object_(Napi::Object::New(env)) {
        object_.Set("type", type);
        object_.Set("session", session);
    }

    EventObject &text(const char *name, const std::string &value) {
        object_.Set(name, value);
        return *this;
    }
    /// Exact up to 2^53, far above any count or size that a share can have.
    EventObject &count(const char *name, std::uint64_t value) {
        object_.Set(name, static_cast<double>(value));
        return *this;
    }
    EventObject &flag(const char *name, bool value) {
        object_.Set(name, Napi::Boolean::New(env_, value));
        return *this;
    }
    EventObject &error(const Error &error) {
        auto value = Napi::Object::New(env_);
        value.Set("code", std::string(error_name(error.code)));
        const auto number = error.cause == 0 ? "" : " (" + std::to_string(error.cause) + ")";
        value.Set("detail", error.detail + number);
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
        object_.Set("route", value);
        return *this;
    }
    EventObject &items(const std::vector<ManifestTable::TopItem> &items) {
        auto list = Napi::Array::New(env_, items.size());
        std::uint32_t index = 0;
        for (const auto &item : items) {
            auto value = Napi::Object::New(env_);
            value.Set("name", item.name);
            value.Set("kind", item.kind == EntryKind::Folder ? "folder" : "file");
            value.Set("files", static_cast<double>(item.files));
            value.Set("bytes", static_cast<double>(item.bytes));
            list.Set(index++, value);
        }
        object_.Set("items", list);
        return *this;
    }
    Napi::Object done() const { return object_; }

private:
    Napi::Env env_;
    Napi::Object object_;
};

struct ToJs {
    Napi::Env env;

    Napi::Object operator()(const ScanEvent &event) const {
        return EventObject(env, "scan", event.session)
            .count("files", event.files)
            .count("folders", event.folders)
            .count("bytes", event.bytes)
            .flag("complete", event.complete)
            .done();
    }
    Napi::Object operator()(const ScanItemsEvent &event) const {
        return EventObject(env, "scan-items", event.session).items(event.items).done();
    }
    Napi::Object operator()(const ItemProblemEvent &event) const {
        return EventObject(env, "item-problem", event.session)
            .text("peer", event.peer)
            .text("path", event.path)
            .error(event.error)
            .done();
    }
    Napi::Object operator()(const SignalEvent &event) const {
        return EventObject(env, "signal", event.session)
            .text("peer", event.peer)
            .text("payload", event.payload)
            .done();
    }
    Napi::Object operator()(const PairingDoneEvent &event) const {
        return EventObject(env, "pairing-done", event.session).text("peer", event.peer).done();
    }
    Napi::Object operator()(const ConnectedEvent &event) const {
        return EventObject(env, "connected", event.session)
            .text("peer", event.peer)
            .text("name", event.name)
            .route(event.route)
            .done();
    }
    Napi::Object operator()(const OfferEvent &event) const {
        return EventObject(env, "offer", event.session)
            .text("peer", event.peer)
            .items(event.items)
            .count("files", event.files)
            .count("folders", event.folders)
            .count("bytes", event.bytes)
            .done();
    }
    Napi::Object operator()(const AcceptedEvent &event) const {
        return EventObject(env, "accepted", event.session).text("peer", event.peer).done();
    }
    Napi::Object operator()(const ProgressEvent &event) const {
        return EventObject(env, "progress", event.session)
            .text("peer", event.peer)
            .count("files", event.files)
            .count("bytes", event.bytes)
            .count("totalFiles", event.total_files)
            .count("totalBytes", event.total_bytes)
            .done();
    }
    Napi::Object operator()(const FinishedEvent &event) const {
        return EventObject(env, "finished", event.session)
            .text("peer", event.peer)
            .count("files", event.files)
            .count("bytes", event.bytes)
            .count("problems", event.problems)
            .count("renamed", event.renamed)
            .done();
    }
    Napi::Object operator()(const FailedEvent &event) const {
        return EventObject(env, "failed", event.session)
            .text("peer", event.peer)
            .error(event.error)
            .done();
    }
};

} // namespace

std::optional<Command> command_from_js(Napi::Env env, const Napi::Value &value) {
    if (!value.IsObject()) {
        Napi::TypeError::New(env, "a command must be an object").ThrowAsJavaScriptException();
        return std::nullopt;
    }
    Fields fields(env, value.As<Napi::Object>());
    auto command = read_command(fields);
    if (!fields.fault().empty()) {
        Napi::TypeError::New(env, fields.fault()).ThrowAsJavaScriptException();
        return std::nullopt;
    }
    return command;
}

Napi::Object event_to_js(Napi::Env env, const Event &event) { return std::visit(ToJs{env}, event); }

} // namespace thru
