#include "quic/versions.h"

#include <ngtcp2/ngtcp2.h>

namespace thru {

std::string ngtcp2_library_version() { return ngtcp2_version(0)->version_str; }

} // namespace thru
