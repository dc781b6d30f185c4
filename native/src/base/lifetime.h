// Lets results that come later find out whether their owner is still there.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace thru {

/// A member of an owner that gets results later. Declared last, it ends before what they would use.
class Lifetime {
    struct Token {
        std::function<void()> on_result;
    };

public:
    /// Kept by what is under way for the owner.
    class Watch {
    public:
        /// Stays true. Exact on the owner's thread; on others it may become true at any time.
        bool over() const { return token_.expired(); }
        /// To be called behind each result, on the owner's thread; nothing when the owner is over.
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
    /// Calls `on_result` behind each result.
    explicit Lifetime(std::function<void()> on_result)
        : token_(std::make_shared<Token>(Token{std::move(on_result)})) {}
    Lifetime(const Lifetime &) = delete;
    Lifetime &operator=(const Lifetime &) = delete;

    Watch watch() const { return Watch(token_); }

private:
    std::shared_ptr<Token> token_ = std::make_shared<Token>();
};

} // namespace thru
