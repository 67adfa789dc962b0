"""How a report looks: the style of an exported conversation, and what only a report has."""

from local_rag.export.style import STYLE as _EXPORT

STYLE = (
    _EXPORT
    + """
:root { --good: #1d6b3a; --bad: #a8201a; --bar: #3f6fa8; --band: #a9c3e2; --grid: #d5d0c8; }
@media (prefers-color-scheme: dark) { :root { --good: #7fd1a0; --bad: #ff9b93; --bar: #8fb8ea;
  --band: #3d5f8a; --grid: #45413d; } }
main { max-width: 62rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: .15rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
dl + .wide { margin-top: 1rem; }
.verdict { font-size: 1.125rem; font-weight: 600; }
.kept { color: var(--good); }
.missed { color: var(--bad); }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .75rem .3rem 0; text-align: start; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; min-width: 4.5rem; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.row { display: grid; grid-template-columns: 11rem 1fr 15rem; gap: .1rem 1rem;
  align-items: center; margin: .2rem 0; font-size: .9rem; }
.row .value { font-variant-numeric: tabular-nums; }
.plot { display: block; width: 100%; height: 1.1rem; overflow: visible; }
.plot line { stroke: var(--grid); stroke-width: 1; }
.plot .band { fill: var(--band); }
.plot .bar, .plot circle { fill: var(--bar); }
.plot circle { stroke: var(--ground); stroke-width: 1.5; }
.scale { display: flex; justify-content: space-between; }
.scale, .explained { color: var(--soft); font-size: .8125rem; margin: 0; }
.case { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem 1rem 1rem;
  margin: 0 0 1.25rem; }
.case > h4 { font-size: 1.05rem; margin: .75rem 0 .25rem; }
.case h5 { font-size: .875rem; color: var(--soft); margin: 1rem 0 .25rem; }
.case p { margin: .25rem 0; }
.case ol { padding-inline-start: 0; list-style: none; }
.case li { margin: 0 0 .75rem; }
.faults { padding-inline-start: 1.25rem; margin: .25rem 0; }
.case .faults { list-style: disc; }
.case .faults li { margin: 0; }
.case figure { margin: .75rem 0 0; max-width: 34rem; }
summary { cursor: pointer; }
@media (max-width: 44rem) {
  .row { grid-template-columns: 1fr auto; }
  .row .drawn { grid-column: 1 / -1; grid-row: 2; }
  .case { padding: .25rem .6rem .75rem; }
  dl { grid-template-columns: 1fr; }
  dd { margin: 0 0 .4rem; }
}
@media print { .case, .row, tr { break-inside: avoid; } .plot * { print-color-adjust: exact;
  -webkit-print-color-adjust: exact; } }
"""
)
