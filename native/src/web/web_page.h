// The page behind a transfer of the module.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/secret_key.h"
#include "quic/connection.h"
#include "transfer/receive_options.h"
#include "wire/control.h"
#include "wire/manifest.h"

namespace thru {

/// Calls must not call the transfer back.
class WebPage {
public:
    virtual ~WebPage() = default;

    // Both directions.

    /// A payload for the signaling server.
    virtual void on_payload(std::string_view payload) = 0;
    /// The other side knows the code. `safety`: six digits for two people to compare.
    virtual void on_paired(std::string_view safety) = 0;
    /// See WebLinkListener.
    virtual void on_candidate(std::string_view line) = 0;
    /// `resume` opens the next attempt; earlier keys are useless now.
    virtual void on_connected(const SecretKey &resume) = 0;
    virtual void on_greeted(std::string_view peer) = 0;
    virtual void on_entry_failed(std::uint64_t index, ErrorCode code) = 0;
    virtual void on_peer_paused(bool paused) = 0;
    /// The end: no call follows it. Without an error, everything requested is kept.
    virtual void on_over(const std::optional<Error> &error) = 0;

    // Receiving.

    /// The sender is the one that proved this id in an earlier attempt, if any.
    virtual void on_origin(const OriginId &origin) = 0;
    /// Replaces what the sender left out before.
    virtual void on_left_out(const LeftOut &left_out) = 0;
    /// The sender's user must approve this receiver.
    virtual void on_approval_awaited() = 0;
    /// The next entry of the offer. Paths are canonical bytes of the sender's choice.
    virtual void on_entry(std::uint64_t index, const ManifestEntry &entry) = 0;
    /// Entries below `end` are offered. After the first offer was accepted, new ones are accepted
    /// automatically.
    virtual void on_offered(std::uint64_t end) = 0;
    virtual void on_removed(const IndexRange &range) = 0;
    /// Verified bytes of a file; runs of a file may come in any order.
    virtual void on_data(std::uint64_t index, std::uint64_t offset, ByteView bytes) = 0;
    /// These bytes of a file are zeros that don't travel.
    virtual void on_hole(const Hole &hole) = 0;
    /// The version of a file on the sender's disk, for the Have of a later attempt.
    virtual void on_validator(const Validator &validator) = 0;
    /// These bytes of an earlier attempt are useless.
    virtual void on_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length) = 0;
    /// All data of a segment was passed on: the page answers with `saved` once it keeps them.
    virtual void on_segment(StreamId segment) = 0;
    /// The page keeps every byte of this file. Bytes that never came are zero.
    virtual void on_file(std::uint64_t index, std::uint64_t bytes) = 0;

    // Sending.

    /// The requester made its choice: data flows.
    virtual void on_accepted() = 0;
    /// The page reads these bytes, and answers reads in their order.
    virtual void on_read(std::uint64_t index, std::uint64_t offset, std::uint64_t length) = 0;
};

} // namespace thru
