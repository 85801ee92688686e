/**
 * How the page looks, in light, in dark, on a phone and on paper. All kinds of colour vision tell the colours
 * of the series apart (M. Okabe and K. Ito, "Color Universal Design", https://jfly.uni-koeln.de/color/); on
 * light, they are darkened until they stand out three to one.
 */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f8fa; --card: #fff; --shade: #0003; --ink: #1f2328; --dim: #57606a; --rule: #d8dee4; --grid: #e6eaee;
  --margin: #dfe5eb; --busy: #eef0f3; --base: #0072b2; --head: #c14f00; --good: #00664b; --bad: #b42318; --open: #7a5200; --link: #0550ae;
  --s0: #0072b2; --s1: #c14f00; --s2: #00795a; --s3: #a8487f; --s4: #6e7781; --s5: #8a6d00; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #151b23; --shade: #fff4; --ink: #e6edf3; --dim: #9aa4af; --rule: #30363d; --grid: #262d35;
  --margin: #2b333d; --busy: #1d242d; --base: #56b4e9; --head: #f09a3e; --good: #4cc79f; --bad: #ff8a80; --open: #e3b341; --link: #79b8ff;
  --s0: #56b4e9; --s1: #f09a3e; --s2: #33c299; --s3: #e08fbd; --s4: #8b949e; --s5: #e6d843; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 82rem; padding: 1.25rem; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
header, section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 1.1rem 1.35rem; margin: 0 0 1.1rem; }
header { border-left: 8px solid var(--tone); --tone: var(--dim); }
.regressed, .failed { --tone: var(--bad); } .improved, .same { --tone: var(--good); } .unsure { --tone: var(--open); } .control { --tone: var(--dim); }
.run { margin: 0; color: var(--dim); font-weight: 600; }
h1 { margin: .1rem 0 .6rem; font-size: 1.75rem; line-height: 1.25; color: var(--tone); letter-spacing: -.01em; }
header.plain h1 { color: var(--ink); }
header ul { padding-left: 1.2rem; margin: .4rem 0; } header p:last-child { color: var(--dim); margin-bottom: 0; }
h2 { font-size: 1.2rem; margin: 0 0 .8rem; } h3 { font-size: 1.02rem; margin: 0; display: inline; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1.1rem 1.8rem; align-items: start; }
.charts > div { min-width: 0; max-width: 30rem; }
.case .charts { display: block; columns: 3 20rem; column-gap: 1.8rem; } .case .charts svg { break-inside: avoid; max-width: 30rem; }
figure { margin: 0 0 1rem; } svg[role] { display: block; width: 100%; height: auto; overflow: visible; } svg[role] + svg { margin-top: .5rem; }
figcaption { color: var(--dim); font-size: .84rem; line-height: 1.4; margin-top: .35rem; }
svg text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--dim); font-variant-numeric: tabular-nums; }
svg a text { fill: var(--link); text-decoration: underline; } svg .x { text-anchor: middle; } svg .y, svg .end { text-anchor: end; } svg .value { text-anchor: middle; } svg .title { font-weight: 600; fill: var(--ink); } svg .halo { paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; } svg .halo:not(.regressed, .improved, .failed) { fill: var(--ink); } svg text.regressed, svg text.failed { fill: var(--bad); font-weight: 600; }
svg text.improved { fill: var(--good); font-weight: 600; }
.grid { stroke: var(--grid); fill: none; } .zero { stroke: var(--dim); } .margin { fill: var(--margin); } .busy { fill: var(--busy); }
.base { --c: var(--base); } .head { --c: var(--head); } .aside { --c: var(--dim); }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
.dots { stroke: var(--c, var(--ink)); stroke-width: 6; stroke-linecap: round; fill: none; } .dots.small { stroke-width: 3.6; }
.dots.round { stroke: var(--ink); stroke-opacity: .62; } .dots.start { stroke: var(--ink); stroke-width: 4; } .dots.wrecked { stroke: var(--dim); stroke-width: 5; stroke-linecap: square; stroke-opacity: .5; }
.line { stroke: var(--c); stroke-width: 1; stroke-opacity: .75; fill: none; } .line.thick { stroke-width: 2; stroke-opacity: 1; stroke-linejoin: round; }
.line.thick.base, .line.s1 { stroke-dasharray: 5 3; } .line.s2 { stroke-dasharray: 2 2; } .line.s3 { stroke-dasharray: 8 3 2 3; } .line.s4 { stroke-dasharray: 12 4; } .line.s5 { stroke-dasharray: 1 4; } .line.aside { stroke-dasharray: 3 4; }
.step { stroke-width: 1.5; stroke-dasharray: 2 3; } .step.worse { stroke: var(--bad); } .step.better { stroke: var(--good); } .range { fill: var(--c); fill-opacity: .25; }
.flame { display: block; width: 100%; } .f { width: 100%; height: 100%; fill: var(--margin); stroke: var(--card); } .flame text { fill: var(--ink); } .more.f { fill: color-mix(in srgb, var(--s1) calc(var(--k) * 1%), var(--card)); } .less.f { fill: color-mix(in srgb, var(--s0) calc(var(--k) * 1%), var(--card)); }
.c1 { --k: 22; } .c2 { --k: 36; } .c3 { --k: 52; } .flame svg:hover .f { stroke: var(--ink); stroke-width: 2; }
.hover { fill: transparent; } .hover:hover { fill: var(--ink); fill-opacity: .1; } .whisker { stroke: var(--c); stroke-opacity: .45; stroke-width: 4; }
.bar { fill: var(--c); fill-opacity: .85; } .aside.bar { fill-opacity: .45; }
.interval { stroke: var(--tone, var(--ink)); stroke-width: 2.5; fill: none; } .estimate { fill: var(--tone, var(--ink)); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; margin: .3rem 0 .6rem; font-size: .88rem; } .key { width: 30px; height: 10px; margin-right: .4rem; }
.case { border-top: 1px solid var(--rule); padding: .25rem 0; margin: 0; } .case > summary { padding: .3rem 0; } summary { cursor: pointer; }
.case > div { padding-top: .6rem; scroll-margin-top: 3rem; }
.pill { display: inline-block; border: 1.5px solid var(--tone); color: var(--tone); border-radius: 999px; padding: 0 .6rem; font-size: .82rem; font-weight: 600; margin: 0 .5rem; } td .pill { margin: 0; }
.figures { color: var(--dim); margin-left: .5rem; } .notes { color: var(--dim); font-size: .88rem; } .notes p { margin: .3rem 0; } nav ul { list-style: none; padding: 0 .4rem; margin: 0 0 1.1rem; display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; font-size: .9rem; } nav a { display: inline-block; min-height: 24px; } section { scroll-margin-top: .5rem; }
.scroll { overflow-x: auto; margin: .7rem 0; background: linear-gradient(90deg, var(--card) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local, linear-gradient(270deg, var(--card) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
  linear-gradient(90deg, var(--shade), transparent) 1px 0 / 1rem 100% no-repeat scroll, linear-gradient(270deg, var(--shade), transparent) calc(100% - 1px) 0 / 1rem 100% no-repeat scroll; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--rule); padding: .35rem .7rem; white-space: nowrap; text-align: left; } thead th { color: var(--dim); font-weight: 600; }
.r { text-align: right; } tbody tr:last-child > * { border-bottom: 0; } td:nth-child(n+3):last-child:not(.r) { min-width: 18rem; white-space: normal; }
pre { background: var(--page); border: 1px solid var(--rule); border-radius: 6px; padding: .7rem; overflow-x: auto; font-size: .84rem; } details { margin: .5rem 0; }
@media (max-width: 40rem) { body { padding: .5rem; font-size: 14px; } header, section { padding: .85rem .8rem; } h1 { font-size: 1.35rem; } svg text { font-size: 12px; } .pill { margin: 0 .3rem; }
  table { font-size: .8rem; } th, td { padding: .35rem .3rem; } td:not(.r) { white-space: normal; overflow-wrap: normal; min-width: 4.6em; } .long { white-space: normal; overflow-wrap: normal; min-width: 7em; } td:nth-child(n+3):last-child:not(.r) { min-width: 9rem; } .pill { padding: 0 .35rem; } .ends { display: block; } pre { white-space: pre-wrap; } }
@media (hover: none), (max-width: 40rem) { .pointer { display: none; } }
@media print { :root { --page: #fff; } body { max-width: none; padding: 0; font-size: 10pt; } header, section { border: 0; padding: .4rem 0; } header { border-left: 8px solid var(--tone); padding-left: .8rem; }
  details::details-content { content-visibility: visible; display: block; } figure, tr { break-inside: avoid; } .scroll { overflow: visible; } th, td { white-space: normal; } nav { display: none; } }
`;
