// SPDX-License-Identifier: MIT
// Writes the measured table of convergence.md: how far the shipped scenes are from converged, by bench-converged ($CONVERGED).
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const page = new URL("convergence.md", import.meta.url);
const table = execFileSync(process.env.CONVERGED, { encoding: "utf8", maxBuffer: 1 << 24 });
const text = readFileSync(page, "utf8");
const parts = text.split(/(?<=<!-- measured -->\n)[^]*(?=<!-- \/measured -->)/);
if (parts.length !== 2) throw new Error("convergence.md: the marks of the measured table are missing");
writeFileSync(page, parts[0] + table + parts[1]);
