#include "engine/event_buffer.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace thru {

namespace {

template <class T, class... Kinds>
concept OneOf = (std::same_as<std::remove_cvref_t<T>, Kinds> || ...);

/// Approximate size in memory; close enough for events that a peer can make large.
std::size_t bytes_of(const Event &event) {
    return sizeof(Event) +
           std::visit(
               [](const auto &content) -> std::size_t {
                   if constexpr (OneOf<decltype(content), OfferEvent>) {
                       std::size_t bytes = 0;
                       for (const OfferItem &item : content.items) {
                           bytes += sizeof item + item.top.name.capacity();
                       }
                       return bytes;
                   } else if constexpr (OneOf<decltype(content), NamesMappedEvent>) {
                       std::size_t bytes = 0;
                       for (const MappedName &name : content.listed_names) {
                           bytes += sizeof name + name.path.capacity() + name.written_as.capacity();
                       }
                       return bytes;
                   } else if constexpr (OneOf<decltype(content), FilesChangedEvent>) {
                       std::size_t bytes = 0;
                       for (const ListedFile &file : content.changes.files) {
                           bytes += sizeof file + file.path.capacity();
                       }
                       return bytes;
                   } else if constexpr (OneOf<decltype(content), TextEvent>) {
                       return content.text.capacity() + content.name.capacity();
                   } else if constexpr (OneOf<decltype(content), AdmissionEvent>) {
                       return content.record.receivers.capacity() * sizeof(ResumeKeys);
                   } else if constexpr (OneOf<decltype(content), DeletionsEvent>) {
                       std::size_t bytes = 0;
                       for (const KeptEntry &kept : content.report.listed) {
                           bytes += sizeof(KeptEntry) + kept.path.capacity();
                       }
                       return bytes;
                   } else if constexpr (OneOf<decltype(content), ItemProblemEvent>) {
                       return content.path.capacity();
                   } else {
                       return 0;
                   }
               },
               event);
}

} // namespace

/// A scan and a transfer of a session never share a slot: a scan has no peer.
std::optional<EventBuffer::Slot> EventBuffer::slot_of(const Event &event) {
    return std::visit(
        [&](const auto &content) -> std::optional<Slot> {
            if constexpr (OneOf<decltype(content), ScanEvent, AdmissionEvent>) {
                return Slot{event.index(), content.session, {}};
            } else if constexpr (OneOf<decltype(content), ProgressEvent, OfferEvent, FlowEvent,
                                       StatisticsEvent, RouteChangedEvent>) {
                return Slot{event.index(), content.session, content.peer};
            } else if constexpr (OneOf<decltype(content), NamesMappedEvent>) {
                // Once no more names are listed, the event is a mere counter.
                return content.listed_names.empty()
                           ? std::optional(Slot{event.index(), content.session, content.peer})
                           : std::nullopt;
            } else {
                return std::nullopt;
            }
        },
        event);
}

EventBuffer::EventBuffer(std::function<void()> on_waiting, std::function<void()> on_room)
    : on_waiting_(std::move(on_waiting)), on_room_(std::move(on_room)) {}

void EventBuffer::push(Event event) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = events_.empty();
        bytes_ += bytes_of(event);
        if (const auto slot = slot_of(event)) {
            const auto [place, fresh] = latest_.try_emplace(*slot, events_.size());
            if (!fresh) {
                bytes_ -= bytes_of(events_[place->second]);
                events_[place->second] = std::move(event);
                return;
            }
        }
        events_.push_back(std::move(event));
    }
    if (first) {
        on_waiting_();
    }
}

bool EventBuffer::full() const {
    const std::lock_guard lock(mutex_);
    return bytes_ > kMaxWaitingBytes;
}

std::vector<Event> EventBuffer::take() {
    std::vector<Event> taken;
    bool was_full = false;
    {
        const std::lock_guard lock(mutex_);
        latest_.clear();
        was_full = std::exchange(bytes_, 0) > kMaxWaitingBytes;
        taken = std::exchange(events_, {});
    }
    if (was_full) {
        on_room_();
    }
    return taken;
}

} // namespace thru
