// Commands use names of campaign/ on every line, so these names are visible in app/ without qualification.
#pragma once

namespace jp::campaign {}

namespace jp::app {

using namespace campaign;

}  // namespace jp::app
