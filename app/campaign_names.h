// Commands speak of campaigns on every line, so the names of that room stand for themselves in this one.
#pragma once

namespace jp::campaign {}

namespace jp::app {

using namespace campaign;

}  // namespace jp::app
