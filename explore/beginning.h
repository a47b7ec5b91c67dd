// What the page begins with: /api/start, /api/example, /api/draw.
#pragma once

#include "codec/json.h"
#include "explore/explorer.h"
#include "explore/reply.h"

namespace jp::explore {

Reply beginning(Explorer& explorer);
Reply example(Explorer& explorer, const codec::Json& body);
Reply draw(const codec::Json& body);

}  // namespace jp::explore
