#include "answers/explain.h"

#include "codec/codec.h"

namespace jp::answers {

Result<codec::Json> explain(pyrunner::Runner& /*runner*/, const Program& /*program*/, const std::string& /*backend*/) {
  return Error{"this version can't tell what compiling did"};
}

}  // namespace jp::answers
