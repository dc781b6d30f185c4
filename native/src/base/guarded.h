#pragma once

#include <mutex>

namespace thru {

/// A value that is reachable only while its mutex is locked.
template <class Value> class Guarded {
public:
    /// Holds the mutex during its lifetime.
    template <class Seen> class Locked {
    public:
        Locked(std::mutex &mutex, Seen &value) : lock_(mutex), value_(value) {}
        Seen &operator*() const { return value_; }
        Seen *operator->() const { return &value_; }

    private:
        std::lock_guard<std::mutex> lock_;
        Seen &value_;
    };

    Locked<Value> lock() { return {mutex_, value_}; }
    Locked<const Value> lock() const { return {mutex_, value_}; }

private:
    mutable std::mutex mutex_;
    Value value_;
};

} // namespace thru
