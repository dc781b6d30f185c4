// A relay on this computer that receives requests and never replies, for tests.
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
