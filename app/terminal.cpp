#include "app/terminal.h"

#include <unistd.h>

#include <cstdio>

#include "app/command.h"

namespace jp::app {
namespace {

bool terminal(int descriptor) { return isatty(descriptor) != 0; }

}  // namespace

void print_text(std::string_view text) {
  fmt::print("{}", terminal(STDOUT_FILENO) ? escaped(text) : std::string(text));
}

void print_painted(const std::function<std::string(bool colour)>& render) {
  if (!terminal(STDOUT_FILENO)) return print_text(render(colours()));
  const std::string plain = render(false);
  if (escaped(plain) == plain)
    fmt::print("{}", render(colours()));
  else
    print_text(plain);
}

}  // namespace jp::app
