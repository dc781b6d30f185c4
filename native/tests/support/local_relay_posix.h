// A relay of this computer that hears who asks it, and answers nobody, for tests.
#pragma once

#include "path/ice_path.h"
#include "support/local_server_posix.h"

namespace thru::test {

class LocalRelay : public LocalServer {
public:
    TurnServer server() const {
        return {.host = host(), .port = port(), .user = "u", .password = "p"};
    }
};

} // namespace thru::test
