/** The CSS of report pages: one column, light or dark by the reader's system, and a plain print. */
export const pageCss = `
:root {
  color-scheme: light dark;
  --page: #f5f6f4; --card: #ffffff; --ink: #16212b; --soft: #5b6873; --faint: #66727c; --line: #e3e7e6; --track: #edf0ef;
  --accent: #0b5c7d; --good: #17734a; --look: #8f5a00; --bad: #b3261e;
  --good-back: #e3f3ea; --look-back: #fbefd5; --bad-back: #fbe6e4; --quiet-back: #eceff0;
  --created: #14866d; --updated: #4fb39a; --merged: #2f6f9f; --folded: #7fb2d6;
  --unchanged: #9fb0ba; --skipped: #bcc8ce; --filtered: #d3dbdf;
  --proposed: #e0a63a; --stale: #c9822b; --uncertain: #8b6cc4; --rejected: #d2493f; --failed: #92251d; --notReached: #e0e4e6; --leftOut: #9fb0ba; --doubled: #e0a63a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0e1418; --card: #161e24; --ink: #e8edef; --soft: #a3b0b8; --faint: #8e9ba4; --line: #27323a; --track: #222d34;
    --accent: #6cc3e6; --good: #6fd3a3; --look: #f0bd5c; --bad: #ff8f85;
    --good-back: #17352a; --look-back: #38290f; --bad-back: #3d1d1b; --quiet-back: #222d34;
    --created: #2fae90; --updated: #1d7663; --merged: #5aa4d8; --folded: #315f80;
    --unchanged: #62727c; --skipped: #4a5861; --filtered: #39454d;
    --proposed: #d99c2e; --stale: #b5731f; --uncertain: #a48be0; --rejected: #ea6a5f; --failed: #b23a31; --notReached: #2b363d; --leftOut: #62727c; --doubled: #d99c2e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; padding: 40px 20px 64px; background: var(--page); color: var(--ink);
  font: 15px/1.5 Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main, header, footer { max-width: 860px; margin: 0 auto; }
code, .method, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .87em; }
a { color: var(--accent); text-underline-offset: 2px; }
.top { display: flex; align-items: center; gap: 10px; color: var(--soft); font-size: 13px; }
.top svg { width: 20px; height: 20px; color: var(--accent); flex: none; }
.top b { color: var(--ink); font-weight: 600; letter-spacing: .01em; }
.top .tag { margin-left: auto; }
h1 { margin: 18px 0 6px; font-size: clamp(25px, 4.6vw, 36px); line-height: 1.16; letter-spacing: -.022em; font-weight: 680; text-wrap: balance; font-variant-numeric: proportional-nums; }
.lead { margin: 0 0 24px; color: var(--soft); font-size: 16px; }
.why { margin: -10px 0 24px; padding: 10px 14px; border-left: 3px solid var(--look); background: var(--look-back); border-radius: 0 8px 8px 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 14px 24px; margin: 0 0 28px; padding: 18px 0 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--faint); font-size: 12.5px; }
.facts dd { margin: 1px 0 0; font-size: 14.5px; }
section { margin: 0 0 18px; padding: 24px 26px 26px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
h2, h3 { margin: 0 0 16px; font-size: 16.5px; line-height: 1.3; letter-spacing: -.008em; font-weight: 640; }
h2 .tag { margin-left: 8px; letter-spacing: 0; vertical-align: 1px; }
.part { margin: 44px 0 16px; padding-top: 22px; border-top: 1px solid var(--line); font-size: 21px; letter-spacing: -.015em; }
section .facts { padding: 0; border: 0; margin: 0; } section .facts + .facts { margin-top: 18px; grid-template-columns: 1fr; }
.facts code { overflow-wrap: anywhere; font-size: 12.5px; }
.also { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 18px 0 0; padding: 14px 0 0; border-top: 1px solid var(--line); list-style: none; font-size: 14px; color: var(--soft); } .also b { color: var(--ink); font-weight: 600; }
.todo { margin: 0; padding: 0; list-style: none; } .todo li { display: flex; gap: 16px; padding: 10px 0; border-bottom: 1px solid var(--line); } .todo li:first-child { padding-top: 0; } .todo li:last-child { padding-bottom: 0; border-bottom: 0; }
.todo .n { flex: none; min-width: 64px; font-size: 17px; line-height: 1.35; } .todo div { color: var(--soft); } .todo div b { color: var(--ink); font-weight: 560; }
thead .meaning { font-size: 12.5px; } .fills .of { display: inline-block; min-width: 62px; color: var(--soft); font-size: 13px; } .fills th[scope=row] { width: 60%; } .fills .bar { margin-top: 6px; height: 5px; }
.swatch.before { background: var(--updated); } .swatch.after { background: var(--created); } rect.before { fill: var(--updated); } rect.after { fill: var(--created); }
.sign { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 46px 28px; padding-top: 40px; } .sign div { border-top: 1px solid var(--ink); padding-top: 5px; color: var(--soft); font-size: 13px; }
.proof p { margin: 0 0 8px; } q { color: var(--ink); }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; font-family: inherit; }
table { width: 100%; border-collapse: collapse; }
th { font-weight: 500; text-align: left; }
th, td { padding: 7px 0 7px 18px; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th:first-child, td:first-child { padding-left: 0; }
tbody tr:last-child > * { border-bottom: 0; }
tfoot th, tfoot td { border-top: 1px solid var(--faint); border-bottom: 0; font-weight: 640; }
tfoot .meaning { font-weight: 400; } .outcomes th { white-space: nowrap; }
thead th { color: var(--faint); font-size: 12.5px; font-weight: 500; white-space: nowrap; }
.n { text-align: right; white-space: nowrap; }
.none { color: var(--faint); }
.share { color: var(--soft); width: 72px; }
tfoot .share { font-weight: 400; }
.meaning, .note, .quiet { color: var(--soft); }
section > .quiet { margin: 0; } .quiet + ol { margin-top: 16px; } .meaning { font-size: 14px; }
.note { margin: 12px 0 0; font-size: 13px; }
.stack { margin: 0 0 16px; min-height: 18px; }
.swatch { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 9px; }
thead .swatch { width: 8px; height: 8px; margin-right: 5px; }
.tag { padding: 2px 9px; border-radius: 99px; font-size: 12px; font-weight: 560; white-space: nowrap; }
.tag.good { color: var(--good); background: var(--good-back); } .tag.look { color: var(--look); background: var(--look-back); }
.tag.bad { color: var(--bad); background: var(--bad-back); } .tag.quiet { color: var(--soft); background: var(--quiet-back); }
.problems, .examples, .notes, .steps-next { margin: 0; padding: 0; list-style: none; }
.problems > li { padding: 15px 0; border-bottom: 1px solid var(--line); }
.problems > li:first-child { padding-top: 0; } .problems > li:last-child { border-bottom: 0; padding-bottom: 0; }
.problem { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin-bottom: 7px; }
.problem code { font-size: 14px; font-weight: 600; } .problem .n { margin-left: auto; font-weight: 640; }
.bar { height: 7px; border-radius: 4px; overflow: hidden; }
.bar.thin { height: 4px; margin-top: 6px; border-radius: 2px; }
.examples { margin-top: 9px; font-size: 13.5px; }
.examples li { display: flex; gap: 12px; padding: 1.5px 0; color: var(--soft); }
.examples .line { flex: none; min-width: 74px; } .examples .column { flex: none; max-width: 34%; color: var(--ink); font-weight: 500; }
.scroll { overflow-x: auto; } .note + .scroll { margin-top: 24px; }
.figures { font-size: 14px; overflow-wrap: normal; } .figures .method { display: inline-block; min-width: 34px; color: var(--soft); font-size: 12px; }
.figures td code { overflow-wrap: anywhere; } .figures td:has(code) { min-width: 180px; } .figures th[scope=row] { min-width: 190px; overflow-wrap: normal; }
.steps { margin-top: 22px; }
.swatch.ok { background: var(--created); } .swatch.limited { background: var(--proposed); } .swatch.queued { background: var(--uncertain); } .swatch.other { background: var(--unchanged); }
rect.ok { fill: var(--created); } rect.limited { fill: var(--proposed); } rect.queued { fill: var(--uncertain); } rect.other { fill: var(--unchanged); }
.time { margin: 0 0 16px; color: var(--soft); font-size: 12.5px; } .time figcaption { margin-bottom: 8px; } .ends { display: flex; justify-content: space-between; margin-top: -15px; } .pace { fill: var(--accent); fill-opacity: .2; stroke: var(--accent); stroke-width: 1.5; }
path.waits { fill: none; stroke: var(--look); stroke-width: 1.5; }
.grid { stroke: var(--line); } .session.whole { fill: var(--created); } .session.cut { fill: var(--proposed); } .break { font-size: 18px; }
.notes li, .steps-next li { padding-left: 18px; position: relative; margin: 7px 0; }
.notes li::before { content: ""; position: absolute; left: 3px; top: .62em; width: 5px; height: 5px; border-radius: 9px; background: var(--faint); }
.steps-next { counter-reset: step; } .steps-next li { padding-left: 30px; margin: 12px 0; }
.steps-next li::before { counter-increment: step; content: counter(step); position: absolute; left: 0; top: 2px; width: 20px; height: 20px; border-radius: 99px; background: var(--quiet-back); color: var(--soft); font-size: 12px; line-height: 20px; text-align: center; }
pre { margin: 7px 0 0; padding: 10px 14px; background: var(--track); border-radius: 8px; white-space: pre-wrap; }
.files { display: flex; flex-wrap: wrap; gap: 8px 20px; margin: 20px 0 0; padding: 16px 0 0; border-top: 1px solid var(--line); font-size: 14px; list-style: none; }
footer { color: var(--faint); font-size: 13px; padding-top: 10px; }
@media (max-width: 620px) {
  body { padding: 22px 12px 40px; font-size: 14.5px; }
  section { padding: 18px 16px 20px; border-radius: 12px; }
  .outcomes tr { display: grid; grid-template-columns: 1fr auto 74px; } .outcomes td, .outcomes th { border-bottom: 0; } .outcomes tr { border-bottom: 1px solid var(--line); } .outcomes tfoot tr { border-bottom: 0; } .outcomes .meaning { grid-column: 1 / -1; grid-row: 2; padding: 0 0 8px 19px; } .outcomes thead .meaning, .outcomes .sum { display: none; } .share { width: auto; } th, td { padding-left: 12px; }
  .fills .of { display: block; min-width: 0; } .fills th[scope=row] { width: auto; } .todo .n { min-width: 44px; } .part { font-size: 19px; }
  .facts { grid-template-columns: 1fr 1fr; gap: 12px 16px; }
  .examples li { display: block; } .examples li > span { margin-right: 8px; }
  .time .between { display: none; } .ends { margin-top: 0; } .figures { font-size: 13px; } .figures thead th { white-space: normal; } .figures th[scope=row] { min-width: 118px; overflow-wrap: anywhere; }
}
@media print {
  :root { --page: #fff; --card: #fff; }
  body { padding: 0; zoom: .76; } main, header, footer { max-width: none; } section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 14px 0; } tr, li, .facts > div, figure, pre { break-inside: avoid; } h2, h3 { break-after: avoid; } thead { display: table-header-group; } .part { break-before: page; margin-top: 0; border: 0; }
  thead th { white-space: normal; } .figures th[scope=row] { min-width: 0; overflow-wrap: anywhere; }
  .problems > li { break-inside: avoid; } .scroll { overflow: visible; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
