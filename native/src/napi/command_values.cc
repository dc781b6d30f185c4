#include "napi/command_values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "engine/key_encoding.h"

namespace thru {

namespace {

constexpr std::uint32_t kMaxServers = 16;
constexpr std::uint32_t kMaxDescriptor = 1 << 20;

constexpr auto kMaxPort = std::numeric_limits<std::uint16_t>::max();

std::uint16_t port_of(Fields &fields) {
    return static_cast<std::uint16_t>(fields.number("port", 1, kMaxPort));
}

/// Calls `read` with the fields of each element.
template <class Read> void each(Fields &fields, const char *name, std::uint32_t most, Read read) {
    const auto list = fields.list(name, most);
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

StreamItem stream_of(Fields &item) {
    StreamItem stream{.receivers = item.number("receivers", 1, kMaxReceivers)};
    if (item.is_given("descriptor")) {
        stream.descriptor = static_cast<int>(item.number("descriptor", 0, kMaxDescriptor));
    }
    if (item.is_given("size")) {
        stream.size = item.count("size");
    }
    stream.awaits_producer = item.is_given("awaitsProducer") && item.flag("awaitsProducer");
    return stream;
}

ConflictPolicy policy_of(Fields &fields, const char *field) {
    const auto name = fields.text(field);
    if (name == "update-unchanged") {
        return ConflictPolicy::UpdateUnchanged;
    }
    if (name == "replace") {
        return ConflictPolicy::Replace;
    }
    if (name == "update") {
        return ConflictPolicy::Update;
    }
    if (name == "replace-older") {
        return ConflictPolicy::ReplaceOlder;
    }
    if (name == "skip") {
        return ConflictPolicy::Skip;
    }
    if (name != "keep-both") {
        fields.wrong(field, "is unknown");
    }
    return ConflictPolicy::KeepBoth;
}

/// Null if there are no individual choices.
std::shared_ptr<const ConflictChoices> choices_of(Fields &fields) {
    ConflictChoices choices;
    each(fields, "choices", kMaxPatterns, [&](Fields &choice) {
        choices.insert_or_assign(choice.path("path"), policy_of(choice, "policy"));
    });
    return choices.empty() ? nullptr : std::make_shared<const ConflictChoices>(std::move(choices));
}

PublicKey public_key_of(Fields &fields) {
    const auto key = public_key_from(fields.text("publicKey", kMaxName));
    if (!key) {
        fields.wrong("publicKey", "must be a key");
    }
    return key.value_or(PublicKey{});
}

} // namespace

std::shared_ptr<const Renames> renames_of(Fields &fields) {
    Renames renames;
    if (fields.is_given("renames")) {
        each(fields, "renames", kMaxRenames, [&](Fields &rename) {
            renames.insert_or_assign(rename.path("item"), rename.path("name"));
        });
    }
    return renames.empty() ? nullptr : std::make_shared<const Renames>(std::move(renames));
}

SessionNumber session_of(Fields &fields) {
    return fields.number("session", 1, std::numeric_limits<std::int32_t>::max());
}

namespace {

/// User names are percent-decoded from an address of at most 1,000 characters.
constexpr std::size_t kMaxProxyUser = 1000;
constexpr std::size_t kMaxRequestPath = 1000;

/// True for printable ASCII without spaces, which can't break a request's lines.
bool is_visible(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::optional<RelayProxy> proxy_of(Fields &turn) {
    if (!turn.is_given("proxy")) {
        return std::nullopt;
    }
    auto fields = turn.child("proxy");
    const auto kind = fields.text("kind");
    if (kind != "http" && kind != "socks5") {
        fields.wrong("kind", "must be http or socks5");
    }
    RelayProxy proxy{.kind = kind == "socks5" ? RelayProxy::Kind::Socks5 : RelayProxy::Kind::Http,
                     .host = fields.text("host", 255),
                     .port = port_of(fields),
                     .user = fields.text("user", kMaxProxyUser),
                     .password = fields.text("password", kMaxProxyUser)};
    turn.check(fields);
    return proxy;
}

} // namespace

std::vector<TurnServer> relays_of(Fields &fields) {
    std::vector<TurnServer> relays;
    each(fields, "turn", kMaxServers, [&](Fields &turn) {
        const auto transport = turn.text("transport");
        const bool server_relay = transport == "ws" || transport == "wss";
        if (transport != "udp" && transport != "tcp" && transport != "tls" && !server_relay) {
            turn.wrong("transport", "must be udp, tcp, tls, ws or wss");
        }
        const auto host = turn.text("host", 255);
        relays.push_back({host, port_of(turn), turn.text("user", 512), turn.text("password", 512),
                          transport != "udp", proxy_of(turn),
                          transport == "tls" || transport == "wss",
                          turn.is_given("name") ? turn.text("name", 255) : host,
                          server_relay ? turn.text("path", kMaxRequestPath) : std::string()});
        const auto &relay = relays.back();
        if (server_relay &&
            !(is_visible(relay.path) && is_visible(relay.password) && is_visible(relay.name))) {
            turn.wrong("path", "must be a path, with a ticket and a name");
        }
    });
    return relays;
}

std::vector<StunServer> stun_of(Fields &fields) {
    std::vector<StunServer> servers;
    each(fields, "stun", kMaxServers,
         [&](Fields &stun) { servers.push_back({stun.text("host", 255), port_of(stun)}); });
    return servers;
}

namespace {

RelayUse relay_use_of(Fields &ice) {
    const auto use = ice.text("relayUse");
    if (use != "automatic" && use != "only" && use != "never") {
        ice.wrong("relayUse", "must be automatic, only or never");
    }
    return use == "only" ? RelayUse::Only : use == "never" ? RelayUse::Never : RelayUse::Automatic;
}

} // namespace

IceServers ice_of(Fields &fields) {
    auto ice = fields.child("ice");
    IceServers servers;
    servers.stun = stun_of(ice);
    servers.turn = relays_of(ice);
    servers.relay_use = relay_use_of(ice);
    fields.check(ice);
    return servers;
}

namespace {

UdpPort udp_port_of(Fields &fields, const char *name) {
    auto port = fields.child(name);
    UdpPort read{.address = port.text("address", kMaxName), .port = port_of(port)};
    fields.check(port);
    return read;
}

} // namespace

AddMapping mapping_of(Fields &fields) {
    return {.port = udp_port_of(fields, "port"),
            .mapped = fields.is_null("mapped") ? std::nullopt
                                               : std::optional(udp_port_of(fields, "mapped"))};
}

AnswerName name_answer_of(Fields &fields) {
    return {.question = fields.number("question", 1, std::numeric_limits<NameQuestion>::max()),
            .address = fields.is_null("address") ? std::nullopt
                                                 : std::optional(fields.text("address", kMaxName))};
}

std::vector<std::string> texts_of(Fields &fields, const char *name, std::uint32_t most) {
    const auto list = fields.list(name, most);
    std::vector<std::string> texts;
    for (std::uint32_t index = 0; index < list.Length(); ++index) {
        const Napi::Value value = list.Get(index);
        if (!value.IsString()) {
            fields.wrong(name, "must hold strings");
            return {};
        }
        texts.push_back(name_of(value.As<Napi::String>()));
        if (texts.back().size() > kMaxText) {
            fields.wrong(name, "holds a text that is too long");
            return {};
        }
    }
    return texts;
}

std::vector<ScanItem> items_of(Fields &fields) {
    std::vector<ScanItem> items;
    each(fields, "items", kMaxItems, [&](Fields &item) {
        const auto kind = item.text("kind");
        if (kind == "path") {
            items.push_back(
                {.path = item.path("path"),
                 .resolved = item.is_given("resolved") ? item.path("resolved") : std::string()});
        } else if (kind == "text") {
            items.push_back({.text = item.text("text", kMaxTextBytes),
                             .name = item.text("name", kMaxComponentBytes)});
        } else if (kind == "stream") {
            items.push_back(
                {.name = item.text("name", kMaxComponentBytes), .stream = stream_of(item)});
        } else {
            item.wrong("kind", "must be path, text or stream");
        }
    });
    return items;
}

ReceiveOptions options_of(Fields &fields) {
    auto chosen = fields.child("options");
    const ReceiveOptions options{.conflict = policy_of(chosen, "conflict"),
                                 .choices = choices_of(chosen),
                                 .renames = renames_of(chosen),
                                 .compare_content = chosen.flag("compareContent"),
                                 .resume = chosen.flag("resume"),
                                 .verify = chosen.flag("verify"),
                                 .keep_times = chosen.flag("keepTimes"),
                                 .keep_executable = chosen.flag("keepExecutable"),
                                 .keep_attributes = chosen.flag("keepAttributes"),
                                 .make_links = chosen.flag("makeLinks"),
                                 .make_empty_folders = chosen.flag("makeEmptyFolders"),
                                 .portable_names = chosen.flag("portableNames"),
                                 .mark = chosen.flag("mark"),
                                 .follow = chosen.is_given("follow") && chosen.flag("follow"),
                                 .deletions =
                                     chosen.is_given("deletions") && chosen.flag("deletions")};
    fields.check(chosen);
    return options;
}

SelectionText selection_of(Fields &fields) {
    auto chosen = fields.child("selection");
    SelectionText selection{.only = texts_of(chosen, "only", kMaxPatterns),
                            .except = texts_of(chosen, "except", kMaxPatterns),
                            .first = texts_of(chosen, "first", kMaxPatterns)};
    fields.check(chosen);
    return selection;
}

bool watches_files(Fields &fields) {
    return fields.is_given("watchFiles") && fields.flag("watchFiles");
}

std::optional<int> output_of(Fields &fields) {
    return fields.flag("toOutput") ? std::optional(1) : std::nullopt;
}

WireId id_of(Fields &fields, const char *name) {
    WireId id{};
    const auto text = fields.text(name, 2 * id.size());
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    bool valid = text.size() == 2 * id.size();
    for (std::size_t at = 0; valid && at < id.size(); ++at) {
        const int high = digit(text[2 * at]);
        const int low = digit(text[2 * at + 1]);
        valid = high >= 0 && low >= 0;
        id[at] = static_cast<std::uint8_t>(high * 16 + low);
    }
    if (!valid) {
        fields.wrong(name, "must be 32 hexadecimal digits");
    }
    return id;
}

std::vector<WireId> kept_receives_of(Fields &fields) {
    std::vector<WireId> kept;
    each(fields, "kept", kMaxKeptReceives,
         [&](Fields &receive) { kept.push_back(id_of(receive, "receiveId")); });
    return kept;
}

FileFilter filter_of(Fields &fields) {
    constexpr std::array<std::string_view, kFileFilters> kNames = {"all",  "waiting", "active",
                                                                   "done", "problem", "skipped"};
    const auto found = std::ranges::find(kNames, fields.text("filter", kMaxName));
    if (found == kNames.end()) {
        fields.wrong("filter", "is unknown");
        return FileFilter::All;
    }
    return static_cast<FileFilter>(found - kNames.begin());
}

SecretKey secret_key_of(Fields &fields, const char *name) {
    auto text = fields.text(name, kMaxName);
    const auto key = secret_key_from(text);
    wipe(text);
    if (!key) {
        fields.wrong(name, "must be a key");
    }
    return key.value_or(SecretKey{});
}

std::optional<AdmissionRecord> restored_of(Fields &fields) {
    if (fields.is_null("restored")) {
        return std::nullopt;
    }
    auto record = fields.child("restored");
    AdmissionRecord restored{.share = id_of(record, "share"),
                             .wrong = record.number("wrong", 0, kMaxWrongRestored),
                             .wrong_of_share = record.number("wrongOfShare", 0, kMaxWrongRestored),
                             .receivers = {}};
    each(record, "receivers", kMaxResumeKeys, [&](Fields &receiver) {
        restored.receivers.push_back({.key = secret_key_of(receiver, "key"),
                                      .next = receiver.is_null("next")
                                                  ? std::nullopt
                                                  : std::optional(secret_key_of(receiver, "next")),
                                      .has_place = receiver.flag("hasPlace")});
    });
    fields.check(record);
    return restored;
}

std::optional<AutoAcceptLimit> auto_accept_limit_of(Fields &fields) {
    if (fields.is_null("autoAccept")) {
        return std::nullopt;
    }
    auto limits = fields.child("autoAccept");
    const AutoAcceptLimit auto_accept{.max_bytes = limits.count("maxBytes")};
    fields.check(limits);
    return auto_accept;
}

ReceiveSecret secret_of(Fields &fields) {
    auto secret = fields.child("secret");
    const auto kind = secret.text("kind");
    ReceiveSecret read;
    if (kind == "words") {
        read = ByWords{secret.text("words", kMaxName)};
    } else if (kind == "resume") {
        read = ByResumeKey{secret_key_of(secret, "key")};
    } else if (kind == "contact") {
        read = ByContact{secret.text("contact", kMaxName)};
    } else {
        secret.wrong("kind", "is unknown");
    }
    fields.check(secret);
    return read;
}

SetSavedPaths saved_paths_of(Fields &fields) {
    SetSavedPaths read;
    each(fields, "paths", SavedPaths::kMax, [&](Fields &path) {
        read.paths.push_back(
            {.network = path.text("network", kMaxName),
             .path = {.window = std::min(path.count("window"), kMaxConnectionWindow),
                      .round_trip = path.count("roundTripNs")},
             .until = std::min<Timestamp>(path.count("lifetimeMs") * kMillisecond,
                                          SavedPaths::kLifetime)});
    });
    return read;
}

SetContacts contacts_of(Fields &fields) {
    SetContacts read;
    if (!fields.is_null("own")) {
        auto own = fields.child("own");
        read.own = secret_key_of(own, "secret");
        fields.check(own);
    }
    each(fields, "contacts", kMaxContacts, [&](Fields &contact) {
        read.contacts.push_back({.id = contact.text("id", kMaxName),
                                 .public_key = public_key_of(contact),
                                 .shared = secret_key_of(contact, "key")});
    });
    return read;
}

} // namespace thru
