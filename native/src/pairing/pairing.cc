#include "pairing/pairing.h"

#include <utility>

#include "pairing/receiver_side.h"
#include "pairing/sender_side.h"

namespace thru {

struct Pairing::State {
    std::unique_ptr<PairingSide> side;
    /// The same object as `side` for a sender, otherwise null.
    SenderSide *sender = nullptr;
};

Pairing::Pairing(std::unique_ptr<State> state) : state_(std::move(state)) {}
Pairing::~Pairing() = default;
Pairing::Pairing(Pairing &&) noexcept = default;
Pairing &Pairing::operator=(Pairing &&) noexcept = default;

Pairing Pairing::receiver(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                          const std::optional<GuessId> &earlier) {
    auto side =
        std::make_unique<ReceiverSide>(std::move(nameplate), secret, std::move(own), earlier);
    return Pairing{std::make_unique<State>(State{.side = std::move(side)})};
}

Pairing Pairing::sender(std::string nameplate, PeerDescription own) {
    auto side = std::make_unique<SenderSide>(std::move(nameplate), std::move(own));
    auto *const sender = side.get();
    return Pairing{std::make_unique<State>(State{.side = std::move(side), .sender = sender})};
}

Result<std::vector<PairingEvent>> Pairing::on_payload(std::string_view payload) {
    return state_->side->on_payload(payload);
}

Result<> Pairing::admit(const PairingSecret &secret) { return state_->sender->admit(secret); }

void Pairing::refuse(ErrorCode code) { state_->sender->refuse(code); }

const std::optional<GuessId> &Pairing::guess() const { return state_->side->guess(); }

const PairingKeys &Pairing::keys() const { return state_->side->keys(); }

void Pairing::send_candidate(std::string_view line) { state_->side->send_candidate(line); }

void Pairing::send_candidates_done() { state_->side->send_candidates_done(); }

std::vector<std::string> Pairing::take_payloads() { return state_->side->take_payloads(); }

} // namespace thru
