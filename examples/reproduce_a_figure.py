# SPDX-License-Identifier: MIT
# %% [markdown]
# # Reproduce a figure
#
# The tables and figures of five papers are experiments of the library: every claim has our number and the band it must lie in.
# %%
import collections

import jawari

papers = collections.Counter(e["paper"] for e in jawari.experiments())
print(", ".join(f"{paper}: {n}" for paper, n in papers.items()))
finding, = jawari.reproduce("par11-fig1")
print(finding.title)
print(finding.says)
# %%
for claim in finding.claims:
    print(f"{'holds' if claim.stands else 'fails'}: {claim.quantity} = {claim.ours:.6g} {claim.unit} ({claim.judgement})")
# %% [markdown]
# Its pictures are data: draw them as you like.
# %%
ax = finding.plot()
ax.figure.savefig("reproduce_a_figure.png")
