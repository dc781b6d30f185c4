// The way of last resort: both sides open a WebSocket to the signaling server, which gives each the
// bytes of the other (docs/signaling.md#detours). Begun when nothing else is left, or has worked in
// time; the receiver chooses it, and the sender follows. Used on the network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/address.h"
#include "net/datagram_path.h"
#include "net/length_frames.h"
#include "net/web_socket.h"
#include "path/ice_path.h"
#include "path/relay/relay_stream.h"

namespace thru {

class Detour {
public:
    /// What the agent beside it has to know. Calls must not destroy the detour.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// The other side is there, too: the way may be chosen.
        virtual void on_detour_found() = 0;
        /// The other side goes by it, and so does this side.
        virtual void on_detour_chosen() = 0;
        /// It leads nowhere, or does no longer.
        virtual void on_detour_failed() = 0;
    };

    /// `server` has a path; `follows`: the other side chooses.
    Detour(EventLoop &loop, IceListener &listener, Owner &owner, const TurnServer &server,
           bool follows);
    ~Detour();
    Detour(const Detour &) = delete;
    Detour &operator=(const Detour &) = delete;

    /// Nothing else works: it need not wait.
    void begin();
    /// Whether it may still lead somewhere.
    bool pending() const { return stage_ != Stage::Over; }
    bool found() const { return stage_ == Stage::Found; }
    /// This side's choice; only when found.
    void choose() { chosen_ = true; }
    bool chosen() const { return chosen_; }
    /// The other side goes by something else, as far as is known. Does nothing where this side
    /// chooses, and once settled.
    void leave();
    /// Nothing else is wanted: it ends unless it was chosen.
    void settle();
    /// As DatagramPath::send: a burst as a whole or, while the last one waits, nothing.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);
    /// Where this computer's end and the server's, or the proxy's, are; empty before it is found.
    Address local() const { return local_; }
    Address remote() const { return remote_; }
    const TurnServer &server() const { return server_; }
    /// Why it leads nowhere.
    const std::optional<Error> &failure() const { return failure_; }

private:
    enum class Stage : std::uint8_t { Waiting, Meeting, Found, Over };
    void wait(guint milliseconds);
    void on_time();
    void ready();
    void read();
    void receive(ByteView data);
    void become_found();
    void flush();
    void fail(Error why);
    std::optional<Error> why_over() const;

    EventLoop &loop_;
    IceListener &listener_;
    Owner &owner_;
    TurnServer server_;
    bool follows_;
    Stage stage_ = Stage::Waiting;
    bool chosen_ = false;
    bool settled_ = false;
    bool was_full_ = false;
    /// Until it begins, and then for the other side.
    Timeout timer_;
    std::optional<WebSocket> web_socket_;
    LengthFrames frames_;
    Address local_;
    Address remote_;
    std::optional<Error> failure_;
    Bytes buffer_;
    Bytes out_;
    /// Last: its end calls none of the others.
    std::unique_ptr<RelayStream> stream_;
};

} // namespace thru
