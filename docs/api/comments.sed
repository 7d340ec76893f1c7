# The comment at the head of a header is about the file; comments of the C interface stand before what they are about.
1s#^// SPDX-License-Identifier: MIT$#//! @file#
1s#^/\* SPDX-License-Identifier: MIT$#/*! @file#
2,40s#^// \(.*\)$#//! \1#
s#^/\* \[\(any\|audio\|control\|reader\|still\)\]#/** [\1]#
s#\([;,]\) */\* \(.*\*/\)$#\1 /**< \2#
