// SPDX-License-Identifier: MIT
// Nothing: the target of this file precompiles the headers that all test programs share.
int main() {}
