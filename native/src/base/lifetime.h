// Lets results that come later find out whether their owner is still there.
#pragma once

#include <memory>

namespace thru {

/// A member of an owner that gets results later. Declared last, it ends before what they would use.
class Lifetime {
    struct Token {};

public:
    /// Kept by what is under way for the owner.
    class Watch {
    public:
        /// Stays true. Exact on the owner's thread; on others it may become true at any time.
        bool over() const { return token_.expired(); }

    private:
        friend class Lifetime;
        explicit Watch(const std::shared_ptr<Token> &token) : token_(token) {}
        std::weak_ptr<Token> token_;
    };

    Lifetime() = default;
    Lifetime(const Lifetime &) = delete;
    Lifetime &operator=(const Lifetime &) = delete;

    Watch watch() const { return Watch(token_); }

private:
    std::shared_ptr<Token> token_ = std::make_shared<Token>();
};

} // namespace thru
