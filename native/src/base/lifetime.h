// Lets pending results check if their owner still exists.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace thru {

/// A member of an owner that receives results later. Declare it last, so it is destroyed first.
class Lifetime {
    struct Token {
        std::function<void()> on_result;
    };

public:
    /// Held by work in progress for the owner.
    class Watch {
    public:
        /// Once true, stays true. Exact on the owner's thread; elsewhere it may change at any time.
        bool over() const { return token_.expired(); }
        /// Call this after each result, on the owner's thread. No effect once the owner is gone.
        void on_result() const {
            if (const auto token = token_.lock(); token && token->on_result) {
                token->on_result();
            }
        }

    private:
        friend class Lifetime;
        explicit Watch(const std::shared_ptr<Token> &token) : token_(token) {}
        std::weak_ptr<Token> token_;
    };

    Lifetime() = default;
    explicit Lifetime(std::function<void()> on_result)
        : token_(std::make_shared<Token>(Token{std::move(on_result)})) {}
    Lifetime(const Lifetime &) = delete;
    Lifetime &operator=(const Lifetime &) = delete;

    Watch watch() const { return Watch(token_); }

private:
    std::shared_ptr<Token> token_ = std::make_shared<Token>();
};

} // namespace thru
