#include "campaign/common/free_memory.h"

#include <features.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace jp::campaign {

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace jp::campaign
