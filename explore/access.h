// Who may ask the server: only the page that it served, opened by whoever has the printed URL.
//
// A browser sends requests of any site to any address of this machine. Therefore a request must carry the token, which
// other sites can't read; its Host must be this server, or a name that somebody else's DNS points at 127.0.0.1 would
// do; and an Origin, which browsers set on requests of scripts, must be this server too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jp::explore {

/// 128 random bits of the system's, as 32 hexadecimal digits.
std::string new_token();

/// Whether two texts are equal, in a time that does not depend on where they differ.
bool same_secret(std::string_view one, std::string_view other);

/// What a request says of itself; "" for a header that it lacks.
struct Asker {
  std::string host;
  std::string origin;
  std::string token;
};

class Access {
 public:
  Access(int port, std::string token);
  /// A sentence if the request must be refused (403).
  std::optional<std::string> refusal(const Asker& asker) const;
  const std::string& token() const { return token_; }

 private:
  std::string token_;
  std::string numbered_;  // "127.0.0.1:PORT"
  std::string named_;     // "localhost:PORT"
};

}  // namespace jp::explore
