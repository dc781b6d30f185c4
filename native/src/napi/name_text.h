// Converts names between the engine's arbitrary bytes and JavaScript's UTF-16.
#pragma once

#include <string>
#include <string_view>

#include <napi.h>

namespace thru {

/// Decodes UTF-8. Each invalid byte becomes the lone surrogate U+DC00 + byte ("surrogate escape",
/// PEP 383), so different names stay different and name_of() restores the bytes.
Napi::String name_text(Napi::Env env, std::string_view name);

/// The bytes of a name from name_text(), or another text's UTF-8 (other lone surrogates: U+FFFD).
std::string name_of(const Napi::String &text);

} // namespace thru
