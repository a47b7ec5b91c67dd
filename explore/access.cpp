#include "explore/access.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace jp::explore {

std::string new_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  return token;
}

bool same_secret(std::string_view one, std::string_view other) {
  unsigned differs = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < one.size(); ++i)
    differs |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(i < other.size() ? other[i] : 0);
  return differs == 0;
}

Access::Access(int port, std::string token)
    : token_(std::move(token)),
      numbered_(fmt::format("127.0.0.1:{}", port)),
      named_(fmt::format("localhost:{}", port)) {}

std::optional<std::string> Access::refusal(const Asker& asker) const {
  if (asker.host != numbered_ && asker.host != named_) return "this server answers under its own address only";
  if (!asker.origin.empty() && asker.origin != "http://" + numbered_ && asker.origin != "http://" + named_)
    return "this server answers its own page only";
  if (!same_secret(token_, asker.token))
    return "the token is missing or wrong: open the URL that jitprobe explore printed";
  return std::nullopt;
}

}  // namespace jp::explore
