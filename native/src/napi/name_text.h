// Names between the engine, where they are any bytes, and JavaScript, where they are UTF-16.
#pragma once

#include <string>
#include <string_view>

#include <napi.h>

namespace thru {

/// The text of UTF-8; each other byte becomes the lone surrogate U+DC00 + byte ("surrogate escape",
/// PEP 383), which no text has. So different names stay different, and name_of() has the bytes
/// back.
Napi::String name_text(Napi::Env env, std::string_view name);

/// The bytes of a name as name_text() made it; of any other text its UTF-8. A lone surrogate that
/// stands for no byte becomes U+FFFD.
std::string name_of(const Napi::String &text);

} // namespace thru
