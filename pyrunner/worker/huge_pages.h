// Huge pages for what the zygote has in memory.
#pragma once

namespace jp::pyrunner {

/// Has the kernel gather the private memory of this process in pages of 2 MB. A fork copies a table of pages, and the
/// end of the child gives it back: both take most of the time of a child that only runs a small program, and much less
/// with large pages. A page that a child writes to is parted for that child alone, so it copies no more than before.
///
/// Takes some tenths of a second. Does nothing where the kernel can't (before Linux 6.1).
void use_huge_pages();

}  // namespace jp::pyrunner
