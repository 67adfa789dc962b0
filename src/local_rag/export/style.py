"""How an exported file looks, on a light and a dark screen and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1b1a; --ground: #fdfcfa; --soft: #6b6660;
  --line: #ddd8d0; --mark: #ffe58a; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6e1; --ground: #1b1a19; --soft: #a39d95;
  --line: #3b3835; --mark: #6d5800; --link: #8fc0f5; } }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; }
h3 { font-size: .9rem; color: var(--soft); margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
a.citation { text-decoration: none; font-size: .85em; }
.about, .note { color: var(--soft); font-size: .875rem; }
ol, ul { padding-inline-start: 1.5rem; }
article > ol { list-style: none; padding: 0; }
article > ol > li { margin: 0 0 1rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .375rem; }
.place { margin: 0 0 .25rem; font-size: .9rem; }
blockquote { margin: 0; }
.passage { white-space: pre-wrap; font-size: .9rem; }
.lead { color: var(--soft); }
mark { background: var(--mark); color: inherit; }
:target { outline: 2px solid var(--link); outline-offset: 2px; }
figure { margin: 0 0 2rem; }
figcaption { font-size: .875rem; margin: 0 0 .5rem; }
.sheet { position: relative; border: 1px solid var(--line); background: #fff; }
.sheet img { display: block; width: 100%; height: auto; }
.sheet svg { position: absolute; inset: 0; width: 100%; height: 100%;
  mix-blend-mode: multiply; }
.sheet rect { fill: #ffe873; }
@media print {
  :root { color-scheme: light; --ink: #000; --ground: #fff; --soft: #444; --line: #bbb;
    --mark: #ffe58a; --link: #000; }
  main { max-width: none; padding: 0; }
  mark, .sheet rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .sheet { max-width: 15cm; }
  figure { break-inside: avoid; }
  h2, h3, .place, figcaption { break-after: avoid; }
}
"""
