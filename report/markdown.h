// Text of a program, of Python or of torch inside Markdown, so that every character of it is shown.
#pragma once

#include <string>

namespace jp::report {

/// A code block that the text can't close.
std::string code_block(const std::string& text, const std::string& language = "");
/// "`x`": one line of code in a sentence. Backticks of the text don't close it; an empty text gives "nothing".
std::string code_span(const std::string& line);
/// A sentence that is no Markdown: `<MulBackward0>`, `__init__` and `a * b` are shown as they are.
std::string prose(const std::string& line);
/// The same for a cell of a table: one line, at most 120 bytes of text.
std::string table_cell(const std::string& text);

}  // namespace jp::report
