// Converts commands from JavaScript and events to JavaScript: the C++ side of native/index.d.ts.
#pragma once

#include <optional>

#include <napi.h>

#include "engine/commands.h"
#include "engine/events.h"

namespace thru {

/// The command, or nullopt with a pending TypeError that names the wrong field.
std::optional<Command> command_from_js(Napi::Env env, const Napi::Value &value);

Napi::Object event_to_js(Napi::Env env, const Event &event);
/// Converts only the statistics.
Napi::Object statistics_to_js(Napi::Env env, const StatisticsEvent &event);

} // namespace thru
